// SPDX-License-Identifier: MIT

/// Reads bits, the most significant first. Throws where they end too early.
struct BitReader {
    private let bytes: UnsafeRawBufferPointer
    /// The place of the next bit.
    private(set) var place = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// The next bits, 32 at most.
    mutating func next(_ count: Int) throws(DemuxProblem) -> Int {
        let first = place
        try skip(count)
        return (first..<place).reduce(0) { $0 << 1 | Int(bytes[$1 >> 3] >> (7 - UInt8($1 & 7)) & 1) }
    }

    mutating func skip(_ count: Int) throws(DemuxProblem) {
        guard 0...8 * bytes.count - place ~= count else { throw .malformed("the bits of AAC are cut short") }
        place += count
    }

    /// Appends the next bytes, which may lie across bytes, to `output`.
    mutating func copy(_ count: Int, to output: inout [UInt8]) throws(DemuxProblem) {
        let (first, shift) = (place >> 3, UInt16(place & 7))
        try skip(8 * count)
        for index in first..<first + count {
            let next = index + 1 < bytes.count ? UInt16(bytes[index + 1]) : 0
            output.append(UInt8(truncatingIfNeeded: (UInt16(bytes[index]) << 8 | next) >> (8 - shift)))
        }
    }
}

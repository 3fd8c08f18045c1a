// SPDX-License-Identifier: MIT

/// Reads bits, the most significant first.
struct BitReader {
    private let bytes: UnsafeRawBufferPointer
    /// The place of the next bit.
    private(set) var place = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var left: Int { 8 * bytes.count - place }

    /// The next bits, 32 at most; nil if there are fewer.
    mutating func next(_ count: Int) -> Int? {
        guard count <= left else { return nil }
        var value = 0
        for bit in place..<place + count { value = value << 1 | Int(bytes[bit >> 3] >> (7 - UInt8(bit & 7)) & 1) }
        place += count
        return value
    }

    mutating func skip(_ count: Int) -> Void? {
        guard 0...left ~= count else { return nil }
        place += count
        return ()
    }

    /// Appends the next bytes, which may lie across bytes, to `output`; nil if there are fewer.
    mutating func copy(_ count: Int, to output: inout [UInt8]) -> Void? {
        guard count >= 0, 8 * count <= left else { return nil }
        let (first, shift) = (place >> 3, UInt16(place & 7))
        for index in first..<first + count {
            let next = index + 1 < bytes.count ? UInt16(bytes[index + 1]) : 0
            output.append(UInt8(truncatingIfNeeded: (UInt16(bytes[index]) << 8 | next) >> (8 - shift)))
        }
        place += 8 * count
        return ()
    }
}

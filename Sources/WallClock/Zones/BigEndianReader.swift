// SPDX-License-Identifier: MIT

/// Reads numbers of a time zone file, the most significant byte first. Throws at the end of the bytes.
struct BigEndianReader {
    private let bytes: [UInt8]
    private(set) var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var remaining: Int { bytes.count - position }
    /// The bytes that have not been read.
    var rest: ArraySlice<UInt8> { bytes[position...] }

    mutating func skip(_ count: Int) throws(ZoneFlaw) {
        guard count >= 0, count <= remaining else { throw .truncated }
        position += count
    }

    mutating func byte() throws(ZoneFlaw) -> UInt8 {
        guard remaining > 0 else { throw .truncated }
        position += 1
        return bytes[position - 1]
    }

    mutating func number<Number: FixedWidthInteger>(_: Number.Type) throws(ZoneFlaw) -> Number {
        var number: Number = 0
        for _ in 0..<Number.bitWidth / 8 { number = number << 8 | Number(truncatingIfNeeded: try byte()) }
        return number
    }
}

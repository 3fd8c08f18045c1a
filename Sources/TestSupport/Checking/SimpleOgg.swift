// SPDX-License-Identifier: MIT

/// A minimal parser of Ogg files (RFC 3533): pages, checksums, packets. Chained streams are allowed.
struct SimpleOgg {
    /// The audio packets of all streams, in order: all packets except the codec's header packets.
    private(set) var packets: [[UInt8]] = []
    /// The violations of the format.
    private(set) var problems: [String] = []

    private var partial: [UInt8] = []
    /// The number of header packets of the current stream that are still to come.
    private var headersLeft = 0
    private var serial: UInt32?
    private var nextPage: UInt32 = 0

    /// Parses a whole file.
    ///
    /// - Throws: ``SetupError`` if a page does not start where the previous one ends, or is truncated.
    init(_ file: [UInt8]) throws {
        for page in try Self.pages(file) {
            let start = page.range.lowerBound
            let table = file[(start + 27)..<(start + 27 + Int(file[start + 26]))]
            read(page: Array(file[page.range]), table: Array(table), at: start)
        }
        if !partial.isEmpty { problems.append("the last packet has no end") }
        if serial != nil { problems.append("the last stream has no end flag") }
    }

    private mutating func read(page: [UInt8], table: [UInt8], at position: Int) {
        let flags = page[5]
        let body = page.dropFirst(27 + table.count)
        if flags & 2 != 0 {
            if serial != nil { problems.append("a stream begins at byte \(position) before the last one has ended") }
            (serial, nextPage, partial) = (Self.number(page, at: 14), 0, [])
            headersLeft = Self.headerPackets(first: body)
        }
        let number = Self.number(page, at: 18)
        if Self.number(page, at: 14) != serial { problems.append("a page of an unknown stream at byte \(position)") }
        if number != nextPage { problems.append("a page is missing before byte \(position)") }
        if Self.number(page, at: 22) != Self.checksum(page) { problems.append("a wrong checksum at byte \(position)") }
        if (flags & 1 != 0) == partial.isEmpty { problems.append("a wrong continuation flag at byte \(position)") }
        nextPage = number &+ 1
        take(body, table)
        if flags & 4 != 0 { serial = nil }
    }

    private mutating func take(_ body: ArraySlice<UInt8>, _ table: [UInt8]) {
        var rest = body
        for lacing in table {
            partial += rest.prefix(Int(lacing))
            rest = rest.dropFirst(Int(lacing))
            guard lacing < 255 else { continue }
            if headersLeft > 0 { headersLeft -= 1 } else { packets.append(partial) }
            partial = []
        }
    }

    /// The number of header packets at the start of a stream, determined from its first packet.
    private static func headerPackets(first: ArraySlice<UInt8>) -> Int {
        if first.starts(with: Array("OpusHead".utf8)) { return 2 }
        if first.dropFirst().starts(with: Array("vorbis".utf8)) { return 3 }
        // In Ogg FLAC, the first packet states the number of further header packets.
        if first.dropFirst().starts(with: Array("FLAC".utf8)), first.count > 9 {
            return 1 + Int(first[first.startIndex + 7]) << 8 + Int(first[first.startIndex + 8])
        }
        return 0
    }

    private static func number(_ page: [UInt8], at offset: Int) -> UInt32 {
        page[offset..<(offset + 4)].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// The correct checksum of a page: CRC-32 with polynomial 04C11DB7, not reflected, computed with the checksum field
    /// zero.
    static func checksum(_ page: [UInt8]) -> UInt32 {
        var remainder: UInt32 = 0
        for (offset, byte) in page.enumerated() {
            remainder ^= UInt32((22..<26).contains(offset) ? 0 : byte) << 24
            for _ in 0..<8 {
                let carries = remainder & 0x8000_0000 != 0
                remainder <<= 1
                if carries { remainder ^= 0x04C1_1DB7 }
            }
        }
        return remainder
    }
}

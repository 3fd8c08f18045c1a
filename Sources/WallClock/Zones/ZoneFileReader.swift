// SPDX-License-Identifier: MIT

/// Reads the content of a TZif file (RFC 9636, versions 1 to 4). All counts are checked against the bytes that there
/// are.
struct ZoneFileReader {
    struct Content {
        var firstOffset: Int
        var transitions: [(at: Int64, offset: Int)]
        var footer: ZoneRule?
    }

    private let bytes: [UInt8]
    private var offset = 0

    /// More than any zone has.
    private static let mostEntries = 20_000

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    private struct Header {
        var version: UInt8
        var universalMarks, standardMarks, leaps, transitions, types, characters: Int
    }

    mutating func read() throws(ZoneError) -> Content {
        let header = try readHeader()
        guard header.version > 0 else { return try readBlock(header, timeSize: 4) }
        // The first block is for readers of version 1.
        try skip(size(of: header, timeSize: 4))
        var content = try readBlock(try readHeader(), timeSize: 8)
        content.footer = try readFooter()
        return content
    }

    private mutating func readHeader() throws(ZoneError) -> Header {
        guard try take(4).elementsEqual("TZif".utf8) else { throw .damaged }
        let version = try take(1).first ?? 0
        try skip(15)
        var counts: [Int] = []
        for _ in 0..<6 {
            let count = Int(try integer(4))
            guard (0...Self.mostEntries).contains(count) else { throw .damaged }
            counts.append(count)
        }
        guard counts[4] > 0, counts[4] <= 256, counts[5] > 0 else { throw .damaged }
        return Header(
            version: version, universalMarks: counts[0], standardMarks: counts[1], leaps: counts[2],
            transitions: counts[3], types: counts[4], characters: counts[5])
    }

    private func size(of header: Header, timeSize: Int) -> Int {
        header.transitions * (timeSize + 1) + header.types * 6 + header.characters
            + header.leaps * (timeSize + 4) + header.standardMarks + header.universalMarks
    }

    private mutating func readBlock(_ header: Header, timeSize: Int) throws(ZoneError) -> Content {
        var times: [Int64] = []
        for _ in 0..<header.transitions {
            let time = try integer(timeSize)
            if let last = times.last, time <= last { throw .damaged }
            times.append(time)
        }
        let kinds = try take(header.transitions).map(Int.init)
        var offsets: [Int] = []
        for _ in 0..<header.types {
            let offset = Int(try integer(4))
            // Less than a day either way, as in ``TimeZoneRules``.
            guard (-86_399...86_399).contains(offset) else { throw .damaged }
            offsets.append(offset)
            try skip(2)
        }
        guard kinds.allSatisfy(offsets.indices.contains) else { throw .damaged }
        try skip(header.characters + header.leaps * (timeSize + 4) + header.standardMarks + header.universalMarks)
        let transitions = zip(times, kinds).map { (at: $0, offset: offsets[$1]) }
        return Content(firstOffset: offsets[0], transitions: transitions, footer: nil)
    }

    /// A POSIX rule between two line feeds; empty if there is none.
    private mutating func readFooter() throws(ZoneError) -> ZoneRule? {
        guard try take(1).first == UInt8(ascii: "\n") else { throw .damaged }
        let text = bytes[offset...].prefix { $0 != UInt8(ascii: "\n") }
        guard bytes.indices.contains(text.endIndex) else { throw .damaged }
        guard !text.isEmpty else { return nil }
        guard let rule = ZoneRule(parsing: Array(text)) else { throw .damaged }
        return rule
    }

    // MARK: - Bytes

    private mutating func take(_ count: Int) throws(ZoneError) -> ArraySlice<UInt8> {
        guard count >= 0, count <= bytes.count - offset else { throw .damaged }
        defer { offset += count }
        return bytes[offset..<offset + count]
    }

    private mutating func skip(_ count: Int) throws(ZoneError) { _ = try take(count) }

    /// A signed big-endian integer of 4 or 8 bytes.
    private mutating func integer(_ size: Int) throws(ZoneError) -> Int64 {
        let value = try take(size).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return size == 4 ? Int64(Int32(truncatingIfNeeded: value)) : Int64(bitPattern: value)
    }
}

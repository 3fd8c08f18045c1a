// SPDX-License-Identifier: MIT

import RadioCore

/// The clock changes of a time zone, as read from a TZif file (RFC 9636). Pure.
struct ZoneRules: Hashable, Sendable {
    /// The maximum size of a file in bytes. The largest zone has less than 4 KiB.
    static let longestFile = 262_144

    /// The instants of changes in seconds since 1970, ascending.
    private let changes: [Int64]
    /// The offset from each change on, in seconds east of UTC.
    private let offsets: [Int]
    /// The offset before the first change.
    private let first: Int
    /// The rules after the last change; nil if the last offset applies for good.
    private let tail: PosixRules?

    /// Parses a file of version 1 to 4. Since version 2 the first block is for old programs, and is skipped.
    init(parsing bytes: [UInt8]) throws(ZoneFlaw) {
        guard bytes.count <= Self.longestFile else { throw .tooLong }
        var reader = BigEndianReader(bytes)
        var header = try ZoneHeader(&reader)
        let version = header.version
        if version > 1 {
            try reader.skip(header.size(timeSize: 4))
            header = try ZoneHeader(&reader)
            guard header.version == version else { throw .counts }
        }
        let timeSize = version == 1 ? 4 : 8
        try header.check()
        // Counts that do not fit into the file are rejected before anything is allocated for them.
        guard header.size(timeSize: timeSize) <= reader.remaining else { throw .truncated }
        changes = try Self.times(&reader, header.changes, timeSize)
        var types: [Int] = []
        for _ in 0..<header.changes { types.append(Int(try reader.byte())) }
        let typeOffsets = try Self.typeOffsets(&reader, header)
        guard types.allSatisfy({ $0 < typeOffsets.count }) else { throw .type }
        offsets = types.map { typeOffsets[$0] }
        first = typeOffsets[0]
        // The names, and the flags for standard time and UTC, do not affect offsets.
        try reader.skip(header.characters + header.standardMarks + header.utcMarks)
        tail = version == 1 ? nil : try Self.footer(reader.rest)
    }

    /// The offset at a second since 1970, in seconds east of UTC. A binary search without allocations.
    func offset(at second: Int64) -> Int {
        let next = (0..<changes.count).firstByBisection { changes[$0] > second }
        // Without any changes, the rules apply to all times.
        if next == changes.count, let tail { return tail.offset(at: second) }
        return next == 0 ? first : offsets[next - 1]
    }

    private static func times(
        _ reader: inout BigEndianReader, _ count: Int, _ size: Int
    ) throws(ZoneFlaw) -> [Int64] {
        var times: [Int64] = []
        times.reserveCapacity(count)
        for _ in 0..<count {
            let time = size == 4 ? Int64(try reader.number(Int32.self)) : try reader.number(Int64.self)
            guard times.last.map({ $0 < time }) ?? true else { throw .order }
            times.append(time)
        }
        return times
    }

    /// The offset of each local time type.
    private static func typeOffsets(
        _ reader: inout BigEndianReader, _ header: ZoneHeader
    ) throws(ZoneFlaw) -> [Int] {
        var offsets: [Int] = []
        for _ in 0..<header.types {
            let offset = Int(try reader.number(Int32.self))
            guard PosixRules.offsets.contains(offset) else { throw .offset }
            let (isSummer, name) = (try reader.byte(), try reader.byte())
            guard isSummer <= 1, name < header.characters else { throw .type }
            offsets.append(offset)
        }
        return offsets
    }

    /// The rules between two line feeds at the end of the file; nil if there are none.
    private static func footer(_ bytes: ArraySlice<UInt8>) throws(ZoneFlaw) -> PosixRules? {
        let feed = UInt8(ascii: "\n")
        guard bytes.count >= 2, bytes.first == feed, bytes.last == feed else { throw .truncated }
        let text = bytes.dropFirst().dropLast()
        return text.isEmpty ? nil : try PosixRules(parsing: text)
    }
}

/// The header of a block.
private struct ZoneHeader {
    let version: Int
    let utcMarks: Int
    let standardMarks: Int
    let leapSeconds: Int
    let changes: Int
    let types: Int
    let characters: Int

    init(_ reader: inout BigEndianReader) throws(ZoneFlaw) {
        for expected in "TZif".utf8 { guard try reader.byte() == expected else { throw .notZoneFile } }
        let byte = try reader.byte()
        switch byte {
        case 0: version = 1
        case UInt8(ascii: "2")...UInt8(ascii: "4"): version = Int(byte - UInt8(ascii: "0"))
        default: throw .version(byte)
        }
        try reader.skip(15)
        utcMarks = Int(try reader.number(UInt32.self))
        standardMarks = Int(try reader.number(UInt32.self))
        leapSeconds = Int(try reader.number(UInt32.self))
        changes = Int(try reader.number(UInt32.self))
        types = Int(try reader.number(UInt32.self))
        characters = Int(try reader.number(UInt32.self))
    }

    /// The size of the block in bytes. Cannot overflow: each count has 32 bits.
    func size(timeSize: Int) -> Int {
        changes * (timeSize + 1) + types * 6 + characters + leapSeconds * (timeSize + 4) + standardMarks + utcMarks
    }

    func check() throws(ZoneFlaw) {
        guard leapSeconds == 0 else { throw .leapSeconds }
        let marks = [0, types]
        guard (1...256).contains(types), characters > 0, marks.contains(utcMarks), marks.contains(standardMarks) else {
            throw .counts
        }
    }
}

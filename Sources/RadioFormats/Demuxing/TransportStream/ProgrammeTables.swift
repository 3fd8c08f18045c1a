// SPDX-License-Identifier: MIT

/// The tables of a transport stream: which programmes there are (PAT), and which streams each of them has (PMT).
///
/// The first programme whose table has supported audio is chosen, and kept as long as it has any.
struct ProgrammeTables {
    /// More programmes are ignored.
    private static let most = 32

    private struct ListedProgramme {
        let number: Int
        /// The stream of its table.
        let table: Int
        var streams: ProgrammeStreams?
    }

    private var list = SectionReader()
    private var programmes: [ListedProgramme] = []
    /// The streams of the programmes' tables.
    private var readers: [Int: SectionReader] = [:]
    /// The number of the chosen programme.
    private var chosen: Int?

    /// Takes a packet that is none of a known stream. Returns whether the tables have changed.
    mutating func take(_ packet: TransportPacket) -> Bool {
        if packet.stream == 0 {
            let sections = list.sections(endingIn: packet)
            for section in sections { readList(section) }
            return !sections.isEmpty
        }
        guard let sections = readers[packet.stream]?.sections(endingIn: packet), !sections.isEmpty else { return false }
        for section in sections { readTable(section) }
        return true
    }

    mutating func segmentBegins() {
        list.segmentBegins()
        for stream in readers.keys { readers[stream]?.segmentBegins() }
    }

    /// The streams of the chosen programme; nil if none has supported audio so far.
    var streams: ProgrammeStreams? { programmes.first { $0.number == chosen }?.streams }

    /// Why there is no supported audio, as far as is known.
    var problem: DemuxProblem? { programmes.lazy.compactMap { $0.streams?.problem }.first }

    /// Whether the tables of all programmes are known.
    var areComplete: Bool { !programmes.isEmpty && programmes.allSatisfy { $0.streams != nil } }

    private mutating func readList(_ section: [UInt8]) {
        guard section.count >= 12, section[0] == 0, section[5] & 1 == 1 else { return }
        // Only the first section of a list begins a new list.
        let known = programmes
        if section[6] == 0 { programmes = [] }
        for place in stride(from: 8, through: section.count - 8, by: 4) where programmes.count < Self.most {
            let number = section.bigEndian(at: place, count: 2)
            let table = section.bigEndian(at: place + 2, count: 2) & 0x1FFF
            // Number 0 is a table of the network.
            guard number > 0, !programmes.contains(where: { $0.number == number }) else { continue }
            let streams = known.first { $0.number == number && $0.table == table }?.streams
            programmes.append(ListedProgramme(number: number, table: table, streams: streams))
        }
        let tables = Set(programmes.map(\.table))
        readers = readers.filter { tables.contains($0.key) }
        for table in tables where readers[table] == nil { readers[table] = SectionReader() }
        choose()
    }

    private mutating func readTable(_ section: [UInt8]) {
        guard section[0] == 2, section.count >= 16, section[5] & 1 == 1 else { return }
        let number = section.bigEndian(at: 3, count: 2)
        guard let index = programmes.firstIndex(where: { $0.number == number }) else { return }
        programmes[index].streams = ProgrammeStreams(table: section, before: programmes[index].streams)
        choose()
    }

    private mutating func choose() {
        guard streams?.audio == nil else { return }
        chosen = programmes.first { $0.streams?.audio != nil }?.number
    }
}

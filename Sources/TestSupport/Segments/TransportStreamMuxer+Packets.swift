// SPDX-License-Identifier: MIT

/// The layers of a transport stream.
extension TransportStreamMuxer {
    /// A PES packet.
    package func pes(_ payload: [UInt8], id: UInt8, at time: Int64?, statesLength: Bool) -> [UInt8] {
        let stamp = time.map { time in
            [
                0x21 | UInt8(time >> 29 & 0xE), UInt8(time >> 22 & 0xFF), UInt8(time >> 14 & 0xFE) | 1,
                UInt8(time >> 7 & 0xFF), UInt8(time << 1 & 0xFE) | 1,
            ]
        }
        let length = 3 + (stamp?.count ?? 0) + payload.count
        let stated = statesLength && length <= 0xFFFF ? length : 0
        let isTag = id == 0xBD
        return [0, 0, 1, id, UInt8(stated >> 8), UInt8(stated & 0xFF), isTag ? 0x84 : 0x80, stamp == nil ? 0 : 0x80]
            + [UInt8(stamp?.count ?? 0)] + (stamp ?? []) + payload
    }

    /// The packets of a PES packet or a section, the last one filled up with an adaptation field.
    package mutating func packets(of unit: [UInt8], in stream: Int, clock: Int64? = nil) -> [UInt8] {
        var output: [UInt8] = []
        var rest = unit[...]
        while !rest.isEmpty {
            let isFirst = rest.startIndex == 0
            var field: [UInt8]?
            if isFirst, let clock {
                // The clock of the stream (PCR), half a second before.
                let base = (clock - 45_000) & 0x1_FFFF_FFFF
                let low = [UInt8(base >> 9 & 0xFF), UInt8(base >> 1 & 0xFF), UInt8(base & 1) << 7 | 0x7E, 0]
                field = [0x10, UInt8(base >> 25 & 0xFF), UInt8(base >> 17 & 0xFF)] + low
            }
            let room = 184 - (field.map { $0.count + 1 } ?? 0)
            if rest.count < room {
                var filling = room - rest.count
                if field == nil {
                    filling -= 1
                    field = filling > 0 ? [0] : []
                    filling -= field?.count ?? 0
                }
                field? += [UInt8](repeating: 0xFF, count: filling)
            }
            let payload = rest.prefix(184 - (field.map { $0.count + 1 } ?? 0))
            rest = rest.dropFirst(payload.count)
            let counter = counters[stream, default: 0]
            counters[stream] = (counter + 1) & 0xF
            output += [0x47, (isFirst ? 0x40 : 0) | UInt8(stream >> 8), UInt8(stream & 0xFF)]
            output.append((field == nil ? 0x10 : 0x30) | counter)
            if let field { output += [UInt8(field.count)] + field }
            output += payload
        }
        return output
    }

    /// The packets of the tables at the beginning of a segment.
    mutating func tables(hasTags: Bool) -> [UInt8] {
        let list = section(0, number: 1, [0, 1, 0xE0 | UInt8(Self.tableStream >> 8), UInt8(Self.tableStream & 0xFF)])
        var content: [UInt8] = [0xE0 | UInt8(Self.audioStream >> 8), UInt8(Self.audioStream & 0xFF), 0xF0, 0]
        if options.hasLongTable {
            content[3] = 200
            content += [0x80, 198] + [UInt8](repeating: 0x47, count: 198)
        }
        if options.hasVideo { content += entry(0x1B, Self.videoStream, []) }
        let languages = options.languages.isEmpty ? [""] : options.languages
        for (index, language) in languages.enumerated() {
            let descriptor = language.isEmpty ? [] : [0x0A, 4] + Array(language.utf8) + [0]
            content += entry(type, Self.audioStream + 0x10 * index, descriptor)
        }
        if hasTags { content += entry(0x15, Self.tagStream, Self.tagDescriptor) }
        let table = section(2, number: 1, content)
        return filled([0] + list, in: 0) + filled([0] + table, in: Self.tableStream)
    }

    private var type: UInt8 {
        switch content {
        case .adts: 0x0F
        case .latm: 0x11
        case .mpeg1: 0x03
        case .mpeg2: 0x04
        case .other(let type): type
        }
    }

    /// Says that a stream of metadata has ID3 tags.
    private static let tagDescriptor: [UInt8] =
        [0x26, 13, 0xFF, 0xFF] + Array("ID3 ".utf8) + [0xFF] + Array("ID3 ".utf8) + [0, 0x0F]

    private func entry(_ type: UInt8, _ stream: Int, _ descriptors: [UInt8]) -> [UInt8] {
        [type, 0xE0 | UInt8(stream >> 8), UInt8(stream & 0xFF), 0xF0, UInt8(descriptors.count)] + descriptors
    }

    /// A section with its checksum.
    package func section(_ id: UInt8, number: Int, _ content: [UInt8]) -> [UInt8] {
        let length = 5 + content.count + 4
        let head = [id, 0xB0 | UInt8(length >> 8), UInt8(length & 0xFF), UInt8(number >> 8), UInt8(number & 0xFF)]
        let bytes = head + [0xC1 | version << 1, 0, 0] + content
        var sum = ~UInt32(0)
        for byte in bytes {
            sum ^= UInt32(byte) << 24
            for _ in 0..<8 { sum = sum & 0x8000_0000 == 0 ? sum << 1 : sum << 1 ^ 0x04C1_1DB7 }
        }
        return bytes + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: sum >> $0) }
    }

    /// The packets of sections, the last one filled up with ones.
    package mutating func filled(_ sections: [UInt8], in stream: Int) -> [UInt8] {
        let missing = (184 - sections.count % 184) % 184
        return packets(of: sections + [UInt8](repeating: 0xFF, count: missing), in: stream)
    }
}

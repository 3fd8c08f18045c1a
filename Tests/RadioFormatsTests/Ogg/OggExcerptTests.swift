// SPDX-License-Identifier: MIT

import RadioFormats
import TestSupport
import Testing

/// Packets of several files in one stream. Such streams are tested with real decoders in the recorder's tests.
struct OggExcerptTests {
    /// A file as the recorder writes it, with or without its encoder's pre-skip.
    private static func file(
        _ headers: [[UInt8]], _ packets: [[UInt8]], preSkip: OggPaginator.PreSkip = .convergence
    ) throws -> [UInt8] {
        let bare = OggSample.link(headers, packets, serial: 5).joined()
        let said = FramerTranscript(of: [Array(bare)[...]], by: OggFramer())
        let format = try #require(said.formats.first)
        var paginator = OggPaginator(
            format: format, serial: 7, comments: [("TITLE", "Tune"), ("ARTIST", "Who")], preSkip: preSkip)
        var output = paginator.headerPages()
        var framer = OggFramer()
        Array(bare).withUnsafeBytes { framer.append($0) }
        while let event = framer.next() {
            guard case .frame(let frame) = event else { continue }
            framer.withBytes(of: frame) { paginator.append(packet: $0, samples: frame.samples, into: &output) }
        }
        paginator.finish(into: &output)
        return output
    }

    private static func excerpt(
        _ parts: [(file: [UInt8], wanted: Range<Int64>)], pieces: Int = 1_000
    ) throws -> (bytes: [UInt8], totals: OggExcerpt.Totals) {
        var excerpt = OggExcerpt(serial: 3)
        var output: [UInt8] = []
        for part in parts {
            excerpt.begin(FrameSelection(part.wanted))
            var rest = part.file[...]
            while !rest.isEmpty {
                let wantsMore = try excerpt.append(Array(rest.prefix(pieces)), into: &output)
                guard wantsMore else { break }
                rest = rest.dropFirst(pieces)
            }
            try excerpt.endFile(into: &output)
        }
        excerpt.finish(into: &output)
        return (output, excerpt.totals)
    }

    /// The granule position of the last page that has one.
    private static func end(_ bytes: [UInt8]) throws -> Int64 {
        try #require(bytes.withUnsafeBytes { bytes in OggPageList(bytes).compactMap(\.granule).last })
    }

    private static let opus = OggSample.opusHeaders()

    @Test("An excerpt contains the wanted packets once and unchanged, however the files are split")
    func wantedPackets() throws {
        let packets = (0..<3 as Range<UInt64>).map {
            OggSample.opusPackets((0..<40).map { $0 % 17 == 0 ? 70_000 : 100 + $0 }, seed: $0)
        }
        let files = try packets.map { try Self.file(Self.opus, $0) }
        let parts = [(files[0], 30..<40 as Range<Int64>), (files[1], 0..<40), (files[2], 0..<11)]
        let (bytes, totals) = try Self.excerpt(parts)
        let wanted = packets[0][30...] + packets[1] + packets[2][..<11]
        let said = FramerTranscript(of: [bytes[...]], by: OggFramer())
        #expect(said.frames.map(\.bytes) == Array(wanted) && said.discontinuities == 0 && said.titles == ["Who - Tune"])
        #expect(said.skipped() == said.skipped(.container))
        #expect(totals.frames == 61 && totals.bytes == wanted.reduce(0) { $0 + Int64($1.count) })
        #expect(try Self.end(bytes) == 61 * 960)
        for pieces in [19, 333, 1 << 20] { #expect(try Self.excerpt(parts, pieces: pieces).bytes == bytes) }
    }

    @Test("A pre-skip is kept where its file begins and is 80 ms anywhere else") func preSkip() throws {
        let packets = OggSample.opusPackets([Int](repeating: 50, count: 20), seed: 1)
        let (first, second) = (
            try Self.file(Self.opus, packets, preSkip: .encoders), try Self.file(Self.opus, packets)
        )
        for (wanted, preSkip) in [(0..<20 as Range<Int64>, 312), (1..<20, 3_840)] {
            let (bytes, totals) = try Self.excerpt([(first, wanted), (second, 0..<20)])
            let said = FramerTranscript(of: [bytes[...]], by: OggFramer())
            let head = try #require(said.formats.first?.headerPackets.first)
            #expect(Int(head[10]) | Int(head[11]) << 8 == preSkip && totals.frames == wanted.count + 20)
        }
    }

    @Test("Vorbis packets overlap with the packets before them in the excerpt") func vorbisOverlap() throws {
        // Modes 0 and 1 have blocks of 256 and 2048 samples.
        let packets: [[UInt8]] = [0, 1, 1, 0, 1, 0].map { [$0 << 1, 7, 7] }
        let file = try Self.file(OggSample.vorbisHeaders(), packets)
        let whole = try Self.excerpt([(file, 0..<6), (file, 0..<6)]).bytes
        // After its first packet, a file's packets play 576, 1024, 576, 576 and 576 samples. Between the files, two
        // short blocks overlap by 128 samples.
        #expect(try Self.end(whole) == 3_328 + 128 + 3_328)
        // The long packet 2 is followed by the long packet 1, so both halves of the overlap are long.
        let cut = try Self.excerpt([(file, 2..<3), (file, 1..<2)]).bytes
        #expect(try Self.end(cut) == 1_024)
    }

    @Test("Files that need other headers are refused") func otherHeaders() throws {
        let packets: [[UInt8]] = [[0, 1], [2, 1]]
        let files = [
            try Self.file(OggSample.vorbisHeaders(), packets),
            try Self.file(OggSample.vorbisHeaders(long: [true, false]), packets),
            try Self.file(Self.opus, OggSample.opusPackets([20, 20], seed: 1)),
            try Self.file(OggSample.opusHeaders(channels: 1), OggSample.opusPackets([20, 20], seed: 1)),
        ]
        for (index, file) in files.enumerated() {
            for other in files[(index + 1)...] {
                #expect(throws: OggExcerpt.OtherHeaders.self) { try Self.excerpt([(file, 0..<2), (other, 0..<2)]) }
            }
            #expect(throws: OggExcerpt.OtherHeaders.self) {
                try Self.excerpt([(file + files[(index + 1) % 4], 0..<9)])
            }
        }
    }

    @Test("A file without frames adds nothing to an excerpt, and alone makes no stream") func fileWithoutFrames() throws
    {
        var generator = SplitMix64(seed: 8)
        let file = try Self.file(Self.opus, OggSample.opusPackets([20, 20], seed: 1))
        let noise = generator.bytes(100_000)
        #expect(try Self.excerpt([(noise, 0..<9)]).bytes.isEmpty)
        #expect(try Self.excerpt([(noise, 0..<9), (file, 0..<2), (noise, 0..<9)]).totals.frames == 2)
        #expect(try Self.excerpt([(file, 5..<9)]).bytes.isEmpty)
    }

    @Test("Damage costs packets, but neither their order nor valid pages") func damage() throws {
        var generator = SplitMix64(seed: 9)
        let packets = OggSample.opusPackets((0..<100).map { 20 + $0 * 5 }, seed: 2)
        let file = try Self.file(Self.opus, packets)
        for _ in 0..<20 {
            var damaged = file
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                let place = Int.random(in: 200..<damaged.count, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: damaged[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
                case 1: damaged.insert(contentsOf: generator.bytes(300), at: place)
                default: damaged.removeSubrange(place..<min(damaged.count, place + 300))
                }
            }
            let bytes = try Self.excerpt([(damaged, 0..<100), (file, 0..<100)]).bytes
            let said = FramerTranscript(of: [bytes[...]], by: OggFramer())
            #expect(said.skipped() == said.skipped(.container))
            var rest = (packets + packets)[...]
            for frame in said.frames {
                guard let place = rest.firstIndex(of: frame.bytes) else {
                    Issue.record("a packet that was not there, or out of order")
                    break
                }
                rest = rest[(place + 1)...]
            }
            #expect(said.frames.count >= 100)
        }
    }

    @Test("A packet without an end is not retained") func endlessPacket() throws {
        let file = try Self.file(Self.opus, OggSample.opusPackets([20, 20], seed: 1))
        var excerpt = OggExcerpt(serial: 3)
        var output: [UInt8] = []
        excerpt.begin(FrameSelection(0..<100))
        _ = try excerpt.append(file, into: &output)
        let before = output.count
        let lacing = [UInt8](repeating: 255, count: 255)
        for sequence in 0..<40 as Range<UInt32> {
            let page = OggSample.page(
                lacing, [UInt8](repeating: 1, count: 255 * 255), serial: 7, sequence: 3 + sequence,
                flags: sequence == 0 ? 0 : 1, granule: -1)
            _ = try excerpt.append(page, into: &output)
            #expect(heldBytes(excerpt) < 4 << 20)
        }
        #expect(output.count < before + 1_000)
        try excerpt.endFile(into: &output)
        excerpt.finish(into: &output)
        #expect(excerpt.totals.frames == 2)
    }
}

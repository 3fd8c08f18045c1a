// SPDX-License-Identifier: MIT

import RadioFormats
import TestSupport
import Testing

/// The inverse of ``OggFramerTests``: packets in, pages out.
struct OggPaginatorTests {
    private let opus = StreamFormat(
        codec: .opus, sampleRate: 48_000, channels: 2, headerPackets: OggSample.opusHeaders(title: "not this"))
    private let vorbis = StreamFormat(
        codec: .vorbis, sampleRate: 44_100, channels: 2, headerPackets: OggSample.vorbisHeaders())
    private let flac = StreamFormat(
        codec: .flac, sampleRate: 44_100, channels: 2, headerPackets: OggSample.flacHeaders(picture: false))

    @Test("Packets that are put into pages are read back from them") func roundTrip() {
        var generator = SplitMix64(seed: 4)
        for round in 0..<20 as Range<UInt64> {
            let special = [1, 254, 255, 256, 509, 510, 65_024, 65_025, 65_026, 200_000]
            let lengths = (0..<40).map { _ in
                Int.random(in: 0..<8, using: &generator) == 0
                    ? special.randomElement(using: &generator) ?? 1 : Int.random(in: 1...3000, using: &generator)
            }
            let packets = OggSample.opusPackets(lengths, seed: round)
            var paginator = OggPaginator(format: opus, serial: 9, comments: [("TITLE", "Tune"), ("ARTIST", "Who")])
            var output = paginator.headerPages()
            for packet in packets {
                packet.withUnsafeBytes { paginator.append(packet: $0, samples: 960, into: &output) }
                if Int.random(in: 0..<10, using: &generator) == 0 { paginator.flush(into: &output) }
            }
            paginator.finish(into: &output)
            let said = FramerTranscript(of: [output[...]], by: OggFramer())
            #expect(said.frames.map(\.bytes) == packets && said.titles == ["Who - Tune"])
            #expect(said.discontinuities == 0 && said.skipped() == said.skipped(.container))
            expectOrder(pages(of: output), samples: Int64(40 * 960), serial: 9)
        }
    }

    @Test("A page holds about a second, or the given duration") func pageDuration() {
        let output = paginated(opus, OggSample.opusPackets(Array(repeating: 100, count: 125), seed: 1))
        #expect(pages(of: output).map(\.granule) == [0, 0, 48_000, 96_000, 120_000])
        let quick = paginated(
            opus, OggSample.opusPackets(Array(repeating: 100, count: 25), seed: 1), pageDuration: .milliseconds(200))
        #expect(pages(of: quick).map(\.granule) == [0, 0, 9600, 19_200, 24_000])
    }

    @Test("A page holds at most 32 KiB unless one packet is longer") func pageSize() {
        let output = paginated(opus, OggSample.opusPackets(Array(repeating: 9000, count: 8) + [60_000, 9], seed: 1))
        #expect(pages(of: output).dropFirst(2).map { $0.body.count } == [27_000, 27_000, 18_000, 60_000, 9])
    }

    @Test("A flush keeps the last packet back for the end") func flush() {
        var paginator = OggPaginator(format: opus, serial: 1, comments: [])
        var output = paginator.headerPages()
        let headers = output.count
        for packet in OggSample.opusPackets([10, 20, 30], seed: 1) {
            packet.withUnsafeBytes { paginator.append(packet: $0, samples: 960, into: &output) }
        }
        paginator.flush(into: &output)
        paginator.flush(into: &output)
        #expect(pages(of: Array(output[headers...])).map(\.lacing) == [[10, 20]])
        paginator.finish(into: &output)
        paginator.finish(into: &output)
        paginator.flush(into: &output)
        let last = pages(of: output).last
        #expect(last?.lacing == [30] && last?.flags == OggSample.end && last?.granule == 2880)
    }

    @Test("A stream without packets has an end too") func emptyStream() {
        let all = pages(of: paginated(opus, []))
        #expect(all.map(\.flags) == [OggSample.begin, 0, OggSample.end] && all.last?.granule == 0)
    }

    @Test("Opus headers lose their pre-skip and get Aircheck's comments") func opusHeaders() {
        let all = pages(
            of: paginated(opus, [[0xFC]], comments: [("TITLE", "é=1"), ("", "x"), ("A=B", "x"), ("date", "2026")]))
        let head = opus.headerPackets[0]
        #expect(all[0].body == head[..<10] + [0, 0] as [UInt8] + head[12...])
        var expected = Array("OpusTags".utf8) + OggSample.little(8) + Array("Aircheck".utf8) + OggSample.little(2)
        for comment in ["TITLE=é=1", "DATE=2026"] {
            expected += OggSample.little(UInt32(comment.utf8.count)) + Array(comment.utf8)
        }
        #expect(all[1].body == expected)
    }

    @Test("The first Vorbis packet does not count towards the granule position") func firstVorbisPacket() {
        var paginator = OggPaginator(format: vorbis, serial: 1, comments: [])
        var output = paginator.headerPages()
        for samples in [1024, 576, 128] {
            [0b10, 1].withUnsafeBytes { paginator.append(packet: $0, samples: samples, into: &output) }
        }
        paginator.finish(into: &output)
        #expect(pages(of: output).map(\.granule) == [0, 0, 704])
        #expect(FramerTranscript(of: [output[...]], by: OggFramer()).formats == [vorbis].map(blanked))
    }

    @Test("Long headers span pages without a granule position") func longHeaders() {
        let long = String(repeating: "x", count: 100_000)
        let all = pages(of: paginated(vorbis, [[0]], comments: [("COMMENT", long)]))
        #expect(all.map(\.granule) == [0, -1, 0, 0])
        #expect(all.map(\.flags) == [OggSample.begin, 0, 1, OggSample.end])
    }

    @Test("FLAC headers say that one header packet follows") func flacHeaders() {
        let all = pages(of: paginated(flac, [[0xFF, 0xF8, 0xC0, 0, 0, 1]], comments: [("TITLE", "T")]))
        #expect(all[1].body[..<4] == [0x84, 0, 0, 8 + 8 + 4 + 7])
        let said = FramerTranscript(of: [paginated(flac, [[0xFF, 0xF8, 0xC0, 0, 0, 1]])[...]], by: OggFramer())
        #expect(said.formats.count == 1 && said.frames.count == 1)
    }

    private func blanked(_ format: StreamFormat) -> StreamFormat {
        var format = format
        format.headerPackets[1] = [3] + Array("vorbis".utf8) + [UInt8](repeating: 0, count: 8) + [1]
        return format
    }

    private func paginated(
        _ format: StreamFormat, _ packets: [[UInt8]], comments: [(String, String)] = [],
        pageDuration: Duration = .seconds(1)
    ) -> [UInt8] {
        var paginator = OggPaginator(format: format, serial: 1, comments: comments, pageDuration: pageDuration)
        var output = paginator.headerPages()
        for packet in packets {
            packet.withUnsafeBytes { paginator.append(packet: $0, samples: 960, into: &output) }
        }
        paginator.finish(into: &output)
        return output
    }

    /// Expects sequence numbers from 0 without gaps, granule positions that never fall, one beginning and one end.
    private func expectOrder(_ pages: [Page], samples: Int64, serial: UInt32) {
        #expect(pages.map(\.sequence) == Array(0..<UInt32(pages.count)))
        #expect(pages.allSatisfy { $0.serial == serial })
        let granules = pages.map(\.granule).filter { $0 >= 0 }
        #expect(granules == granules.sorted() && granules.last == samples)
        #expect(pages.count { $0.flags & OggSample.begin != 0 } == 1 && pages[0].lacing.count == 1)
        #expect(pages.count { $0.flags & OggSample.end != 0 } == 1 && (pages.last?.flags ?? 0) & OggSample.end != 0)
        for (page, next) in zip(pages, pages.dropFirst()) {
            #expect((page.lacing.last == 255) == (next.flags & 1 == 1))
        }
        for page in pages {
            #expect((page.granule == -1) == page.lacing.allSatisfy { $0 == 255 })
        }
    }
}

/// A page, parsed without the code under test.
private struct Page {
    var flags: UInt8
    var granule: Int64
    var serial: UInt32
    var sequence: UInt32
    var lacing: [UInt8]
    var body: [UInt8]
}

private func pages(of bytes: [UInt8]) -> [Page] {
    var pages: [Page] = []
    var rest = bytes[...]
    while rest.count >= 27 {
        let start = rest.startIndex
        func little(_ offset: Int, _ count: Int) -> UInt64 {
            (0..<count).reduce(0) { $0 | UInt64(rest[start + offset + $1]) << UInt64(8 * $1) }
        }
        let table = start + 27 + Int(rest[start + 26])
        let lacing = Array(rest[(start + 27)..<table])
        let end = table + lacing.reduce(0) { $0 + Int($1) }
        pages.append(
            Page(
                flags: rest[start + 5], granule: Int64(bitPattern: little(6, 8)),
                serial: UInt32(truncatingIfNeeded: little(14, 4)), sequence: UInt32(truncatingIfNeeded: little(18, 4)),
                lacing: lacing, body: Array(rest[table..<end])))
        rest = rest[end...]
    }
    return pages
}

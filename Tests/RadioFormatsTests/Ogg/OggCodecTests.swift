// SPDX-License-Identifier: MIT

import RadioFormats
import TestSupport
import Testing

/// What the headers of each codec say, and how long its packets play.
struct OggCodecTests {
    @Test("The playing time of an Opus packet is read from its first bytes") func opusLengths() {
        let cases: [([UInt8], Int)] = [
            ([0 << 3], 480), ([1 << 3], 960), ([2 << 3], 1920), ([3 << 3], 2880), ([7 << 3], 2880), ([11 << 3], 2880),
            ([12 << 3], 480), ([13 << 3], 960), ([14 << 3], 480), ([15 << 3], 960), ([16 << 3], 120), ([17 << 3], 240),
            ([18 << 3], 480), ([31 << 3], 960), ([31 << 3 | 1], 1920), ([31 << 3 | 2, 1, 0], 1920),
            ([31 << 3 | 3, 6], 5760), ([31 << 3 | 3], 0), ([16 << 3 | 3, 48], 5760),
        ]
        let said = frames(OggSample.opusHeaders(), cases.map(\.0))
        #expect(said.frames.map(\.samples) == cases.map(\.1))
    }

    @Test("A Vorbis packet plays for a quarter of two adjacent blocks") func vorbisLengths() {
        // The mode follows the packet type: mode 0 is short, mode 1 long.
        let headers = OggSample.vorbisHeaders(title: "T")
        let said = frames(headers, [[0b00], [0b00], [0b10], [0b10], [0b00]])
        #expect(said.frames.map(\.samples) == [0, 128, 576, 1024, 576])
        #expect(said.formats.first?.codec == .vorbis && said.formats.first?.sampleRate == 44_100)
        #expect(said.formats.first?.headerPackets.map(\.count) == [30, 16, headers[2].count])
        #expect(said.titles == ["T"])
    }

    @Test("Vorbis modes are found from the end of the setup header", arguments: 1...64)
    func vorbisModes(_ count: Int) {
        var generator = SplitMix64(seed: UInt64(count))
        let modes = (0..<count).map { _ in Bool.random(using: &generator) }
        let packets = (0..<count).map { [UInt8($0) << 1, 9] }
        let said = frames(OggSample.vorbisHeaders(long: modes), packets)
        let blocks = modes.map { $0 ? 2048 : 256 }
        let expected = [0] + zip(blocks, blocks.dropFirst()).map { ($0 + $1) / 4 }
        #expect(said.frames.map(\.samples) == expected)
    }

    @Test("Vorbis continues across links of one format") func vorbisLinks() {
        let link = OggSample.link(OggSample.vorbisHeaders(), [[0b10], [0b10]], serial: 3).flatMap { $0 }
        let said = expectSameEvents(link + link) { OggFramer() }
        #expect(said.frames.map(\.samples) == [0, 1024, 1024, 1024] && said.formats.count == 1)
    }

    @Test("Header packets among Vorbis audio are no frames") func vorbisHeaders() {
        let headers = OggSample.vorbisHeaders()
        let said = frames(headers, [[0b10], headers[1], [0b10]])
        #expect(said.frames.map(\.samples) == [0, 1024] && said.discontinuities == 0)
    }

    @Test("FLAC frames state their block size") func flacLengths() {
        let sizes: [(UInt8, [UInt8], Int)] = [
            (1, [], 192), (2, [], 576), (4, [], 2304), (8, [], 256), (12, [], 4096), (6, [99], 100),
            (7, [0x0F, 0xFF], 4096), (0, [], 4096), (3, [], 1152),
        ]
        for number in [[0x05], [0xC5, 0x80], [0xFE, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80]] as [[UInt8]] {
            let packets = sizes.map { [0xFF, 0xF8, $0.0 << 4, 0] + number + $0.1 + [1, 2, 3] }
            let said = frames(OggSample.flacHeaders(title: "T"), packets)
            #expect(said.frames.map(\.samples) == sizes.map(\.2) && said.titles == ["T"])
        }
    }

    @Test("B21: A packet that claims to play for longer than its codec allows is damage")
    func impossibleClaims() {
        let sound: [UInt8] = [0xFF, 0xF8, 0xC0, 0, 0, 1]
        // The packets claim 4608, 32,768, 4097 and 65,536 samples, but the stream's longest frame has 4096.
        let liars: [[UInt8]] = [
            [0xFF, 0xF8, 0x50, 0, 0, 1], [0xFF, 0xF8, 0xF0, 0, 0, 1], [0xFF, 0xF8, 0x70, 0, 0, 0x10, 0x00],
            [0xFF, 0xF8, 0x70, 0, 0, 0xFF, 0xFF],
        ]
        let flac = frames(OggSample.flacHeaders(), liars.flatMap { [sound, $0] } + [sound])
        #expect(flac.frames.map(\.bytes) == Array(repeatElement(sound, count: 5)))
        #expect(flac.discontinuities == 4 && flac.skipped(.damaged) == liars.reduce(0) { $0 + $1.count })
        // The second packet claims seven frames of 20 ms.
        let opus = frames(OggSample.opusHeaders(), [[0xFC, 1], [31 << 3 | 3, 7], [0xFC, 2]])
        #expect(opus.frames.map(\.bytes) == [[0xFC, 1], [0xFC, 2]])
        #expect(opus.discontinuities == 1 && opus.skipped(.damaged) == 2)
    }

    @Test("FLAC links differ in format only by what a decoder needs") func flacLinks() {
        let packet: [UInt8] = [0xFF, 0xF8, 0xC0, 0, 0, 1]
        let one = OggSample.link(OggSample.flacHeaders(title: "A", samples: 1), [packet], serial: 1)
        let two = OggSample.link(OggSample.flacHeaders(title: "B", samples: 2, picture: false), [packet], serial: 2)
        let said = expectSameEvents((one + two).flatMap { $0 }) { OggFramer() }
        #expect(said.formats.count == 1 && said.titles == ["A", "B"])
        let format = said.formats.first
        #expect(format?.sampleRate == 44_100 && format?.channels == 2)
        #expect(format?.headerPackets.map(\.count) == [51, 12])
        // The first header packet announces one more, and that one is marked as the last.
        #expect(format?.headerPackets.first?[8] == 1 && format?.headerPackets.last?[0] == 0x84)
    }

    @Test(
        "Headers that no decoder accepts yield no frames",
        arguments: [
            OggSample.opusHeaders(channels: 0),
            [Array("OpusHead".utf8) + [0x11, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0], []],
            [[1] + Array("vorbis".utf8), []],
            [OggSample.vorbisHeaders()[0].map { $0 == 0xB8 ? 0x8B : $0 }, []],
            [OggSample.vorbisHeaders()[0], OggSample.vorbisHeaders()[2]],
            [OggSample.vorbisHeaders()[0], OggSample.vorbisHeaders()[1], [5] + Array("vorbis".utf8)],
            [OggSample.opusHeaders()[0], [1, 2, 3]],
            [OggSample.flacHeaders()[0], [0xFF, 0xF8, 0, 0]],
        ])
    func invalidHeaders(_ headers: [[UInt8]]) {
        let said = frames(headers, [[0], [0xFF, 0xF8, 0xC0, 0, 0, 1]])
        #expect(said.frames.isEmpty && said.formats.isEmpty)
    }

    private func frames(_ headers: [[UInt8]], _ packets: [[UInt8]]) -> FramerTranscript {
        let input = OggSample.link(headers, packets, serial: 5, segments: 3).flatMap { $0 }
        return expectSameEvents(input, twoPieceSplits: 8, randomSplits: 4, truncations: 4) { OggFramer() }
    }
}

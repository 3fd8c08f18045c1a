// SPDX-License-Identifier: MIT

import RadioFormats
import TestSupport
import Testing

/// Headers of streams with large covers.
struct OggAttachmentTests {
    private let opus = OggSample.opusPackets([100, 600, 700, 30], seed: 1)
    private let flac: [[UInt8]] = (0..<5).map { [0xFF, 0xF8, 0xC0, 0, $0, 1, 2, 3] }
    private static func events(of bytes: [UInt8]) -> FramerTranscript {
        FramerTranscript(of: [bytes[...]], by: OggFramer())
    }

    private let vorbis: [[UInt8]] = [[0, 1, 2], [2, 3], [2, 4], [0, 5]]

    @Test(
        "B35: A cover of megabytes costs neither the audio nor the title behind the cover",
        arguments: [1_600_000, 70_000])
    func covers(_ length: Int) {
        let covered: [(headers: [[UInt8]], audio: [[UInt8]])] = [
            (OggSample.opusHeaders(title: "T", cover: length), opus),
            (OggSample.vorbisHeaders(title: "T", cover: length), vorbis),
            (OggSample.flacHeaders(title: "T", picture: false, cover: length), flac),
            (OggSample.flacHeaders(title: "T", pictureLength: length), flac),
        ]
        for (headers, audio) in covered {
            let stream = OggSample.link(headers, audio, serial: 7).flatMap { $0 }
            for piece in [1 << 20, 5_000, 64_000] {
                let pieces = stride(from: 0, to: stream.count, by: piece).map {
                    stream[$0..<min($0 + piece, stream.count)]
                }
                let said = FramerTranscript(of: pieces, by: OggFramer())
                #expect(said.frames.map(\.bytes) == audio && said.titles == ["T"])
                #expect(said.skipped(.attachment) > length && said.skipped(.damaged) == 0)
                #expect(said.discontinuities == 0 && said.missing.isEmpty)
            }
        }
    }

    @Test("B35: A cover beside which the decoder needs nothing changes no format") func sameFormat() {
        let plain = Self.events(of: OggSample.link(OggSample.opusHeaders(), opus, serial: 7).flatMap { $0 })
        let headers = OggSample.opusHeaders(cover: 1_600_000)
        #expect(Self.events(of: OggSample.link(headers, opus, serial: 7).flatMap { $0 }).formats == plain.formats)
    }

    @Test("B35: A cover of which a page is lost costs its link, and the next link is played") func torn() {
        var pages = OggSample.link(OggSample.opusHeaders(title: "T", cover: 1_600_000), opus, serial: 7)
        pages.remove(at: pages.count / 2)
        pages += OggSample.link(OggSample.opusHeaders(title: "U"), opus, serial: 8)
        let said = Self.events(of: pages.flatMap { $0 })
        #expect(said.frames.map(\.bytes) == opus && said.titles == ["U"])
    }

    @Test("B35: A setup header of megabytes, all of which a decoder would need, is refused") func hugeSetup() {
        var headers = OggSample.vorbisHeaders(title: "T")
        headers[2].insert(contentsOf: [UInt8](repeating: 1, count: 1_600_000), at: 20)
        let said = Self.events(of: OggSample.link(headers, vorbis, serial: 7).flatMap { $0 })
        #expect(said.frames.isEmpty && said.skipped(.damaged) > 1 << 20)
    }
}

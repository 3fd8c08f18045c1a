// SPDX-License-Identifier: MIT

import RadioFormats
import TestSupport
import Testing

/// Streams that break a rule but are played by common players.
struct OggLeniencyTests {
    private let packets = OggSample.opusPackets([100, 600, 700, 30], seed: 1)

    @Test(
        "B23: Packets continue in the next page, whether or not it is flagged as a continuation", arguments: [1, 2, 3])
    func continuationsWithoutTheirFlag(_ segments: Int) {
        let headers = OggSample.opusHeaders(title: String(repeating: "long ", count: 300), artist: "Who")
        var pages = OggSample.pages([headers[0]], serial: 7, first: OggSample.begin)
        pages += OggSample.pages([headers[1]], serial: 7, from: 1, segments: segments)
        pages += OggSample.pages(packets, serial: 7, from: UInt32(pages.count), segments: segments)
        #expect(pages.contains { $0[5] == 1 })
        let unmarked = pages.enumerated().map { number, page in
            let table = 27 + Int(page[26])
            return OggSample.page(
                Array(page[27..<table]), Array(page[table...]), serial: 7, sequence: UInt32(number),
                flags: page[5] & ~1)
        }
        let said = expectSameEvents(unmarked.flatMap { $0 }) { OggFramer() }
        #expect(said.frames.map(\.bytes) == packets && said.titles.first?.hasPrefix("Who - long") == true)
        #expect(said.discontinuities == 0 && said.skipped() == said.skipped(.container))
    }

    @Test("B23: FLAC whose last header block is not flagged as the last begins with its first frame")
    func unmarkedLastBlock() {
        let frames: [[UInt8]] = (0..<5).map { [0xFF, 0xF8, 0xC0, 0, $0, 1, 2, 3] }
        for picture in [false, true] {
            var headers = OggSample.flacHeaders(title: "T", picture: picture)
            headers[headers.count - 1][0] &= 0x7F
            let said = expectSameEvents(OggSample.link(headers, frames, serial: 7).flatMap { $0 }) { OggFramer() }
            #expect(said.frames.map(\.bytes) == frames && said.titles == ["T"])
            #expect(said.frames.allSatisfy { $0.samples == 4_096 })
            #expect(said.discontinuities == 0 && said.skipped() == said.skipped(.container))
        }
    }
}

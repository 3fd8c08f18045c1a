// SPDX-License-Identifier: MIT

import RadioFormats
import TestSupport
import Testing

/// Chained links and multiplexed streams.
struct OggChainTests {
    private let first = OggSample.opusPackets([100, 300, 600], seed: 1)
    private let second = OggSample.opusPackets([200, 10, 500], seed: 2)
    private let old = OggSample.opusHeaders(title: "Old")
    private let new = OggSample.opusHeaders(title: "New", artist: "Who")

    @Test(
        "B8: A link of the same format only adds a title, whether or not the previous link has an end",
        arguments: [(serial: UInt32(8), end: true), (8, false), (7, true), (7, false)])
    func sameFormat(_ serial: UInt32, _ end: Bool) {
        let input = OggSample.link(old, first, serial: 7, end: end) + OggSample.link(new, second, serial: serial)
        let said = events(input)
        #expect(said.frames.map(\.bytes) == first + second && said.formats.count == 1)
        #expect(said.titles == ["Old", "Who - New"] && said.discontinuities == 0)
        #expect(said.skipped() == said.skipped(.container))
    }

    @Test("A repeated title is no event, and a removed title is one") func titles() {
        let none = OggSample.opusHeaders()
        let input = [old, old, none, none].flatMap { OggSample.link($0, first, serial: 7) }
        #expect(events(input).titles == ["Old", ""])
    }

    @Test("A link of another format reports the format before its frames") func otherFormat() {
        let mono = OggSample.opusHeaders(channels: 1)
        let input = OggSample.link(old, first, serial: 7) + OggSample.link(mono, second, serial: 8)
        let said = events(input)
        #expect(said.formats.map(\.channels) == [2, 1] && said.frames.count == 6)
        #expect(said.discontinuities == 0)
    }

    @Test("B8: The beginning of a link counts once if it comes twice") func repeatedBeginning() {
        let pages = OggSample.link(old, first, serial: 7)
        let said = events([pages[0]] + pages)
        #expect(said.frames.map(\.bytes) == first && said.discontinuities == 0)
    }

    @Test("The beginning of a link without its other pages is forgotten") func beginningAlone() {
        let input = OggSample.link(old, first, serial: 7).prefix(1) + OggSample.link(new, second, serial: 8)
        let said = events(input)
        #expect(said.frames.map(\.bytes) == second && said.titles == ["Who - New"])
    }

    @Test("B8: A link whose beginning was lost is skipped with a discontinuity") func lostBeginning() {
        let third = OggSample.opusPackets([80], seed: 3)
        let input =
            OggSample.link(old, first, serial: 7)
            + OggSample.link(new, second, serial: 8).dropFirst()
            + OggSample.link(new, third, serial: 9)
        let said = events(input)
        #expect(said.frames.map(\.bytes) == first + third && said.discontinuities == 1)
    }

    @Test("A link without its headers is skipped with a discontinuity") func lostHeaders() {
        var pages = OggSample.link(new, second, serial: 8)
        pages.remove(at: 1)
        let third = OggSample.opusPackets([80], seed: 3)
        let input =
            OggSample.link(old, first, serial: 7) + pages
            + OggSample.link(new, third, serial: 9)
        let said = events(input)
        #expect(said.frames.map(\.bytes) == first + third && said.discontinuities == 1)
    }

    @Test("A link that ends in a torn packet causes a discontinuity") func tornPacket() {
        let pages = OggSample.link(old, first, serial: 7, segments: 1, end: false).dropLast()
        let input = pages + OggSample.link(new, second, serial: 8)
        let said = events(input)
        #expect(said.frames.map(\.bytes) == first[..<2] + second && said.skipped(.damaged) == 510)
        #expect(said.discontinuities == 1)
    }

    @Test("Pages before the first beginning are skipped") func joining() {
        let input =
            OggSample.link(old, first, serial: 7).dropFirst(2)
            + OggSample.link(new, second, serial: 8)
        let said = events(input)
        #expect(said.frames.map(\.bytes) == second && said.discontinuities == 0)
        #expect(said.skipped() == said.skipped(.container))
    }

    @Test("Only the first of several multiplexed audio streams is framed") func multiplexed() {
        let film = OggSample.link(
            [[0x80] + Array("theora".utf8), [0x81]], [[1, 2, 3], [4, 5]], serial: 1, segments: 1)
        let audio = OggSample.link(old, first, serial: 2, segments: 2)
        let other = OggSample.link(new, second, serial: 3, segments: 2)
        var pages = [film[0], audio[0], other[0]]
        for index in 1..<max(film.count, audio.count, other.count) {
            for stream in [film, audio, other] where index < stream.count { pages.append(stream[index]) }
        }
        let said = events(pages)
        #expect(said.frames.map(\.bytes) == first && said.titles == ["Old"] && said.discontinuities == 0)
        #expect(said.skipped() == said.skipped(.container))
    }

    @Test("A stream without a known codec is skipped") func unknownCodec() {
        let pages = OggSample.link([Array("Speex   ".utf8), [0]], first, serial: 1)
        let said = events(pages)
        #expect(said.frames.isEmpty && said.formats.isEmpty)
    }

    private func events(_ pages: some Sequence<[UInt8]>) -> FramerTranscript {
        expectSameEvents(pages.flatMap { $0 }, twoPieceSplits: 32, randomSplits: 12) { OggFramer() }
    }
}

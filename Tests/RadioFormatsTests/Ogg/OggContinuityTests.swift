// SPDX-License-Identifier: MIT

import RadioFormats
import TestSupport
import Testing

/// What page numbers and granule positions reveal about the frames between them.
struct OggContinuityTests {
    /// The number of samples in a page, which holds five packets of 20 ms.
    private static let pageSamples: Int64 = 4_800
    private let packets = OggSample.opusPackets(Array(repeating: 100, count: 100), seed: 1)

    /// Makes header pages and the pages of the packets. For each page of packets, `change` returns the number and the
    /// position in the page's header, or nil to leave the page out.
    private func stream(
        from start: Int64 = 0, serial: UInt32 = 7, ends: Set<Int> = [],
        _ change: (_ page: Int, _ sequence: UInt32, _ granule: Int64) -> (UInt32, Int64)? = { ($1, $2) }
    ) -> [UInt8] {
        let headers = OggSample.link(OggSample.opusHeaders(), [], serial: serial)
        let audio = (0..<20).map { number -> [UInt8] in
            let held = packets[number * 5..<number * 5 + 5]
            let (sequence, granule) = (UInt32(number + 2), start + Int64(number + 1) * Self.pageSamples)
            guard let (sequence, granule) = change(number, sequence, granule) else { return [] }
            return OggSample.page(
                held.map { UInt8($0.count) }, held.flatMap { $0 }, serial: serial, sequence: sequence,
                flags: ends.contains(number) ? OggSample.end : 0, granule: granule)
        }
        return (headers + audio).flatMap { $0 }
    }

    private func events(_ input: [UInt8]) -> FramerTranscript {
        expectSameEvents(input, twoPieceSplits: 8, randomSplits: 4, truncations: 2) { OggFramer() }
    }

    /// The breaks, each with the number of frames before it.
    private func breaks(_ said: FramerTranscript) -> [(frames: Int, samples: Int64?)] {
        var frames = 0
        return said.entries.compactMap { entry in
            switch entry {
            case .frame: frames += 1
            case .missing(let samples): return (frames, samples)
            case .discontinuity: return (frames, 0)
            case .format, .skipped, .title: break
            }
            return nil
        }
    }

    @Test("B20: Missing pages are reported once, with the length that granule positions tell")
    func lostPages() {
        for pages in [8..<9, 8..<11, 18..<19] {
            let said = breaks(events(stream { pages.contains($0) ? nil : ($1, $2) }))
            #expect(said.count == 1 && said.first?.frames == pages.lowerBound * 5)
            #expect(said.first?.samples == Int64(pages.count) * Self.pageSamples)
        }
    }

    @Test("B20: A jump of positions alone is audio that the encoder left out")
    func positionsJump() {
        let said = breaks(events(stream { ($1, $0 < 9 ? $2 : $2 + 960) }))
        #expect(said.count == 1 && said.first?.frames == 45 && said.first?.samples == 960)
    }

    @Test("B20: A jump of page numbers with continuous positions is a break without missing audio")
    func numbersJump() {
        let said = breaks(events(stream { ($0 < 9 ? $1 : $1 + 5, $2) }))
        #expect(said.count == 1 && said.first?.frames == 45 && said.first?.samples == 0)
    }

    @Test("B20: Without credible positions, a jump of page numbers is missing audio of unknown length")
    func onlyNumbers() {
        for granule in [Int64(0), -1] {
            let said = breaks(events(stream { page, sequence, _ in page == 9 ? nil : (sequence, granule) }))
            #expect(said.count == 1 && said.first?.frames == 45 && said.first?.samples == nil)
        }
    }

    @Test("A page that comes twice is a break without missing audio") func twice() {
        var input = stream { $0 < 10 ? ($1, $2) : nil }
        input += input.suffix(27 + 5 + 500)
        let said = breaks(events(input))
        #expect(said.count == 1 && said.first?.frames == 50 && said.first?.samples == 0)
    }

    @Test("Positions count as long as most of them agree, and nonsensical positions are ignored")
    func distrust() {
        // The positions are rounded to milliseconds, as after a container that counts in milliseconds.
        #expect(breaks(events(stream { ($1, $2 + Int64($0 % 3) * 24) })).isEmpty)
        // The positions are in another unit, constant, backwards, or at the ends of the range.
        for change in [{ $0 * 2 }, { _ in 77 }, { 1_000_000 - $0 }, { _ in .max }, { .min + $0 }] as [(Int64) -> Int64]
        {
            #expect(breaks(events(stream { ($1, change($2)) })).isEmpty)
        }
        // One page has a wrong position, and the next one is right again.
        let said = breaks(events(stream { ($1, $0 == 9 ? $2 + 1 << 62 : $2) }))
        #expect(said.count == 1 && said.first?.samples == 1 << 62)
    }

    @Test("Neither a join nor a new link is reported as missing audio") func joining() {
        let joined = stream(from: 1 << 40) { $0 < 5 ? nil : ($1 + 5_000, $2) }
        #expect(breaks(events(joined)).isEmpty)
        #expect(breaks(events(stream() + stream(from: 99, serial: 8) + stream(from: 1 << 50))).isEmpty)
        // The stream looks as if a server had moved its listeners to another source.
        let moved = breaks(events(stream() + stream(serial: 8) { $0 < 5 ? nil : ($1, $2) }))
        #expect(moved.count == 1 && moved.first?.samples == 0)
    }

    @Test("A link whose beginning was lost is reported as missing audio") func stranger() {
        let headers = OggSample.link(OggSample.opusHeaders(), [], serial: 8)
        let lost = stream(serial: 8).dropFirst(headers[0].count)
        let said = breaks(events(stream() + lost + stream(serial: 9)))
        #expect(said.count == 1 && said.first?.frames == 100 && said.first?.samples == nil)
    }

    @Test("B22: Only the position of the last page trims the end") func endTrim() {
        func samples(_ input: [UInt8]) -> [Int] { events(input).frames.map(\.samples) }
        let cut = samples(stream(ends: [19]) { ($1, $0 == 19 ? $2 - 1_000 : $2) })
        #expect(cut == Array(repeatElement(960, count: 98)) + [920, 0])
        // Without the flag, the page is not the end.
        #expect(samples(stream { ($1, $0 == 19 ? $2 - 1_000 : $2) }) == Array(repeatElement(960, count: 100)))
        // A single page is both the first and the last.
        let only = samples(stream(ends: [0]) { page, sequence, _ in page == 0 ? (sequence, 4_000) : nil })
        #expect(only == [960, 960, 960, 960, 160])
    }

    @Test(
        "Real streams and chains of them have no missing audio",
        arguments: [ReferenceProgramme.Encoding.opus(96), .vorbis(128), .flac])
    func realStreams(_ encoding: ReferenceProgramme.Encoding) async throws {
        let rate = encoding == .opus(96) ? 48_000 : 44_100
        let one = try await ReferenceProgramme.make(.init(encoding, sampleRate: rate, seconds: 10)).bytes
        let two = try await ReferenceProgramme.make(.init(encoding, sampleRate: rate, seconds: 7, seed: 2)).bytes
        let said = FramerTranscript(of: [(one + two)[...], one[...]], by: OggFramer())
        #expect(said.discontinuities == 0 && said.skipped() == said.skipped(.container))
    }
}

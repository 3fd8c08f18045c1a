// SPDX-License-Identifier: MIT

import RadioFormats
import TestSupport
import Testing

/// A page with a damaged number of segments claims up to 65 kB, which take seconds to arrive.
struct OggSegmentCountTests {
    private let packets = OggSample.opusPackets(Array(repeating: 230, count: 400), seed: 1)

    @Test("B24: A page with a wrong number of segments delays frames by two pages and costs its own packets")
    func wrongCount() {
        let pages = OggSample.link(OggSample.opusHeaders(), packets, serial: 7, segments: 10, end: false)
        for count in [11, 40, 128, 255] as [UInt8] {
            var hit = pages
            hit[10][26] = count
            let input = hit.flatMap { $0 }
            let said = expectSameEvents(input, twoPieceSplits: 8, randomSplits: 4, truncations: 4) { OggFramer() }
            #expect(said.frames.map(\.bytes) == Array(packets[..<80]) + Array(packets[90...]), "\(count)")
            #expect(said.discontinuities == 1)

            // The pages are fed one by one, to find out when frames resume.
            var framer = OggFramer()
            var frames = 0
            for (number, page) in hit.enumerated() {
                page.withUnsafeBytes { framer.append($0) }
                while let event = framer.next() { if case .frame = event { frames += 1 } }
                if number == 13 { #expect(frames >= 100, "\(count): \(frames) after two pages more") }
            }
        }
    }

    @Test("B24: One page inside a long page's packet is no page, two in sequence after the outer page are")
    func nested() {
        let long = OggSample.opusPackets([9_000, 9_000], seed: 2)
        func stream(_ inner: [UInt8]) -> [UInt8] {
            let packet = long[0] + inner + long[1]
            return OggSample.link(OggSample.opusHeaders(), [packet, packets[0]], serial: 7, segments: 100).flatMap {
                $0
            }
        }
        func page(_ sequence: UInt32, serial: UInt32 = 7) -> [UInt8] {
            OggSample.page([3], [0xFC, 2, 3], serial: serial, sequence: sequence)
        }
        for inner in [page(3), page(3) + page(5), page(4) + page(5), page(3, serial: 8) + page(4, serial: 8)] {
            let said = expectSameEvents(stream(inner), twoPieceSplits: 8, randomSplits: 4) { OggFramer() }
            #expect(said.frames.map(\.bytes) == [long[0] + inner + long[1], packets[0]])
        }
        let said = expectSameEvents(stream(page(3) + page(4)), twoPieceSplits: 8, randomSplits: 4) { OggFramer() }
        #expect(said.frames.map(\.bytes).prefix(2) == [[0xFC, 2, 3], [0xFC, 2, 3]])
    }
}

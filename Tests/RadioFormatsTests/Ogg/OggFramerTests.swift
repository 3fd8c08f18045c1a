// SPDX-License-Identifier: MIT

import RadioFormats
import TestSupport
import Testing

struct OggFramerTests {
    private let lengths = [100, 1, 254, 255, 256, 509, 510, 511, 3000, 7, 765, 40]

    @Test("Packets are whole, however they are spread over pages", arguments: [1, 2, 20, 255])
    func packets(_ segments: Int) {
        let packets = OggSample.opusPackets(lengths, seed: 1)
        let headers = OggSample.opusHeaders(title: "Tune", artist: "Who")
        let input = OggSample.link(headers, packets, serial: 7, segments: segments).flatMap { $0 }
        let said = expectSameEvents(input) { OggFramer() }
        #expect(said.frames.map(\.bytes) == packets && said.frames.allSatisfy { $0.samples == 960 })
        #expect(said.titles == ["Who - Tune"] && said.discontinuities == 0)
        #expect(said.skipped(.container) == said.skipped())
        #expect(
            said.formats == [
                StreamFormat(
                    codec: .opus, sampleRate: 48_000, channels: 2,
                    headerPackets: [headers[0], Array("OpusTags".utf8) + [UInt8](repeating: 0, count: 8)])
            ])
        for frame in said.frames where frame.bytes.count < 255 {
            #expect(Array(input[Int(frame.offset)...].prefix(frame.bytes.count)) == frame.bytes)
        }
    }

    @Test("B8: A lost page costs its packets and the packet torn by it") func lostPage() {
        let packets = OggSample.opusPackets(Array(repeating: 300, count: 30), seed: 2)
        var pages = OggSample.link(OggSample.opusHeaders(), packets, serial: 7, segments: 5)
        // A packet takes two segments and a page holds five, so the third page of audio begins with a packet and ends
        // in the middle of another.
        pages.remove(at: 4)
        let said = expectSameEvents(pages.flatMap { $0 }) { OggFramer() }
        #expect(said.discontinuities == 1 && said.skipped(.damaged) == 45)
        #expect(said.frames.map(\.bytes) == Array(packets[..<5]) + Array(packets[8...]))
    }

    @Test("A damaged page is lost, and nothing else is") func damagedPage() {
        let packets = OggSample.opusPackets(Array(repeating: 100, count: 30), seed: 3)
        var pages = OggSample.link(OggSample.opusHeaders(), packets, serial: 7, segments: 5)
        for byte in [0, 4, 5, 20, 24, 26, 28, 300] {
            pages[3][byte] ^= 0x10
            let said = expectSameEvents(pages.flatMap { $0 }, randomSplits: 4) { OggFramer() }
            #expect(said.frames.map(\.bytes) == Array(packets[..<5]) + Array(packets[10...]), "\(byte)")
            #expect(said.discontinuities == 1)
            #expect(said.skipped() - said.skipped(.container) == pages[3].count)
            pages[3][byte] ^= 0x10
        }
    }

    @Test("Junk between pages is skipped, and no packet is lost") func junk() {
        var generator = SplitMix64(seed: 5)
        let packets = OggSample.opusPackets(Array(repeating: 100, count: 10), seed: 5)
        let pages = OggSample.link(OggSample.opusHeaders(), packets, serial: 7, segments: 5)
        let junk = Array("OggOggSOO".utf8) + generator.bytes(200)
        let input = junk + pages[0] + pages[1] + pages[2] + junk + pages[3] + junk
        let said = expectSameEvents(input) { OggFramer() }
        #expect(said.frames.map(\.bytes) == packets && said.discontinuities == 0)
        #expect(said.skipped(.junk) == 3 * junk.count)
    }

    @Test("B4: Bytes inside packets that look like pages are not taken for pages") func pagesInPackets() {
        let inner = OggSample.page([3], [1, 2, 3], serial: 7, sequence: 3)
        let liar = Array("OggS".utf8) + [UInt8](repeating: 0, count: 22) + [1, 200]
        var packets = OggSample.opusPackets([50, 50, 50], seed: 6)
        packets[0] += inner
        packets[1] += liar
        packets[2] += liar + inner
        let pages = OggSample.link(OggSample.opusHeaders(), packets, serial: 7, segments: 2)
        #expect(expectSameEvents(pages.flatMap { $0 }) { OggFramer() }.frames.map(\.bytes) == packets)
    }

    @Test("A truncated file ends with its last whole packet") func truncation() {
        let packets = OggSample.opusPackets([100, 700, 100], seed: 8)
        let pages = OggSample.link(OggSample.opusHeaders(), packets, serial: 7, segments: 2)
        let said = expectSameEvents(pages.dropLast().flatMap { $0 } + [0x4F, 0x67]) { OggFramer() }
        #expect(said.frames.map(\.bytes) == [packets[0], packets[1]] && said.skipped(.truncated) == 2)
        let torn = expectSameEvents(Array(pages[...2].joined())) { OggFramer() }
        #expect(torn.frames.map(\.bytes) == [packets[0]] && torn.skipped(.truncated) == 255)
    }

    @Test("B8: A packet of monstrous size is not retained") func monstrousPacket() {
        var packets = OggSample.opusPackets([100, 1_200_000, 100, 100], seed: 9)
        let pages = OggSample.link(OggSample.opusHeaders(), packets, serial: 7, segments: 255)
        let said = FramerTranscript(of: Split.every(4096).pieces(of: Array(pages.joined())[...]), by: OggFramer())
        #expect(said.skipped(.damaged) == 1_200_000 && said.discontinuities == 1)
        packets.remove(at: 1)
        #expect(said.frames.map(\.bytes) == packets)
    }

    @Test("Endlessly nested pages do not cause endless checksum work") func nestedPages() {
        // Each of these pages claims to be 64 KiB long. Without a limit, the checksum would read 2,000 bytes for each
        // byte of input.
        let claim = Array("OggS".utf8) + [0, 0] + [UInt8](repeating: 0xFF, count: 20) + [0xFF]
        let input = Array(repeatElement(claim, count: 6000).joined())
        let said = FramerTranscript(of: [input[...]], by: OggFramer())
        #expect(said.accounted == input.count)
        let packets = OggSample.opusPackets([100, 100], seed: 10)
        let sane = OggSample.link(OggSample.opusHeaders(), packets, serial: 7).flatMap { $0 }
        let filler = [UInt8](repeating: 0, count: 70_000)
        let after = FramerTranscript(of: [(input + filler + sane)[...]], by: OggFramer())
        #expect(after.frames.map(\.bytes) == packets)
    }

    @Test("Mutated streams are accounted for and never trap") func mutatedStreams() {
        var generator = SplitMix64(seed: 11)
        let streams = [
            OggSample.link(OggSample.opusHeaders(title: "a"), OggSample.opusPackets(lengths, seed: 1), serial: 7),
            OggSample.link(OggSample.vorbisHeaders(title: "b"), OggSample.opusPackets(lengths, seed: 2), serial: 8),
            OggSample.link(OggSample.flacHeaders(title: "c"), OggSample.opusPackets(lengths, seed: 3), serial: 9),
        ]
        for round in 0..<250 {
            var input: [UInt8] = []
            for _ in 0..<3 {
                for page in streams[Int.random(in: 0..<3, using: &generator)] {
                    input += mutated(page, &generator)
                }
            }
            let whole = FramerTranscript(of: [input[...]], by: OggFramer())
            #expect(whole.accounted == input.count && !whole.ranAway, "round \(round)")
            let split = Split.random(seed: UInt64(round)).pieces(of: input[...])
            #expect(FramerTranscript(of: split, by: OggFramer()) == whole, "round \(round)")
        }
    }

    /// Usually returns the page itself. Otherwise the page is damaged, changed but with a correct checksum, missing,
    /// repeated or cut short.
    private func mutated(_ page: [UInt8], _ generator: inout SplitMix64) -> [UInt8] {
        var page = page
        switch Int.random(in: 0..<12, using: &generator) {
        case 0:
            page[Int.random(in: 0..<page.count, using: &generator)] ^= .random(in: 1...255, using: &generator)
            return page
        case 1, 2:
            let table = 27 + Int(page[26])
            var body = Array(page[table...])
            for _ in 0..<3 where !body.isEmpty {
                body[Int.random(in: 0..<body.count, using: &generator)] = .random(in: 0...255, using: &generator)
            }
            return OggSample.page(
                Array(page[27..<table]), body, serial: UInt32.random(in: 7...9, using: &generator),
                sequence: .random(in: 0...5, using: &generator), flags: .random(in: 0...7, using: &generator))
        case 3: return []
        case 4: return page + page
        case 5: return Array(page.prefix(Int.random(in: 0...page.count, using: &generator)))
        default: return page
        }
    }
}

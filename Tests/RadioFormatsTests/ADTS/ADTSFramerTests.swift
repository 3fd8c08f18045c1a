// SPDX-License-Identifier: MIT

import RadioFormats
import TestSupport
import Testing

struct ADTSFramerTests {
    private let sample = ADTSSample()

    @Test("B4: Every frame of a clean stream is found, whatever its audio looks like") func cleanStream() {
        let frames = sample.frames(60, seed: 1, wild: true)
        let said = expectSameEvents(frames.flatMap { $0 }) { ADTSFramer() }
        #expect(said.frames.map(\.bytes) == frames)
        #expect(said.frames.allSatisfy { $0.samples == 1024 && $0.bitRate == 0 })
        #expect(said.discontinuities == 0)
        #expect(
            said.formats == [
                StreamFormat(codec: .aac, mpegVersion: .mpeg4, sampleRate: 44_100, channels: 2, profile: 1)
            ])
    }

    @Test("B6: Checksums and several blocks per frame are understood", arguments: [false, true], [1, 2, 3, 4])
    func checksumsAndBlocks(_ hasChecksum: Bool, _ blocks: Int) {
        let frames = ADTSSample(isMPEG2: true, hasChecksum: hasChecksum, blocks: blocks).frames(12, seed: 2)
        let said = expectSameEvents(frames.flatMap { $0 }, randomSplits: 6) { ADTSFramer() }
        #expect(said.frames.map(\.bytes) == frames)
        #expect(said.frames.allSatisfy { $0.samples == 1024 * blocks })
        #expect(said.formats.map(\.mpegVersion) == [.mpeg2])
    }

    @Test("Sample rates and channels are those of the header") func ratesAndChannels() {
        let rates = [
            96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350,
        ]
        for (index, rate) in rates.enumerated() {
            let frames = ADTSSample(rateIndex: index).frames(4, seed: 3)
            #expect(transcript(frames).formats.map(\.sampleRate) == [rate])
        }
        for (configuration, channels) in [2, 1, 2, 3, 4, 5, 6, 8].enumerated() {
            let frames = ADTSSample(channels: configuration).frames(4, seed: 3)
            #expect(transcript(frames).formats.map(\.channels) == [channels])
        }
        #expect(transcript(ADTSSample(rateIndex: 13).frames(8, seed: 3)).frames.isEmpty)
    }

    @Test("The longest and the shortest possible frames are found") func frameLengths() {
        let frames = [8191, 8, 8191, 8, 8].map { sample.frame($0, [1, 2, 3]) }
        #expect(
            expectSameEvents(frames.flatMap { $0 }, twoPieceSplits: 16) { ADTSFramer() }.frames.map(\.bytes) == frames)
    }

    @Test("A frame is complete only once the next header has arrived") func nextHeader() {
        let frames = sample.frames(20, seed: 4)
        var framer = ADTSFramer()
        frames.flatMap { $0 }.withUnsafeBytes { framer.append($0) }
        var count = 0
        while let event = framer.next() { if case .frame = event { count += 1 } }
        #expect(count == 19)
        #expect(expectSameEvents(frames.flatMap { $0 }) { ADTSFramer() }.frames.count == 20)
    }

    @Test("A framer that joins in the middle of a stream skips to the first whole frame") func joining() {
        let frames = sample.frames(8, seed: 5, wild: true)
        let input = frames.flatMap { $0 }
        var ends: [Int] = [0]
        for frame in frames { ends.append((ends.last ?? 0) + frame.count) }
        for start in 0..<ends[2] {
            let first = ends.firstIndex { $0 >= start } ?? 0
            let said = FramerTranscript(of: [input[start...]], by: ADTSFramer())
            #expect(said.frames.map(\.bytes) == Array(frames[first...]), "\(start)")
            #expect(said.discontinuities == 0)
        }
    }

    @Test("A damaged header costs its frame, and the frame before it if no header is left there") func damagedHeader() {
        let frames = sample.frames(20, seed: 6)
        for byte in [0, 1, 2, 3] {
            // Damage to byte 3 leaves a header, of another kind. That header and the usual end of the frame before it
            // confirm that frame.
            let lost = byte == 3 ? 9...9 : 8...9
            var damaged = frames
            damaged[9][byte] ^= 0x24
            let said = expectSameEvents(damaged.flatMap { $0 }, twoPieceSplits: 16, randomSplits: 4) { ADTSFramer() }
            #expect(said.frames.map(\.bytes) == Array(frames[..<lost.lowerBound]) + Array(frames[10...]), "\(byte)")
            #expect(said.discontinuities == 1)
            #expect(said.skipped(.junk) == lost.reduce(0) { $0 + frames[$1].count })
            #expect(said.formats.count == 1)
        }
    }

    @Test("A wrong frame length costs one frame") func wrongLength() {
        let frames = sample.frames(20, seed: 7)
        for bit in 0..<13 {
            var damaged = frames
            let place = 30 + bit
            damaged[9][place / 8] ^= 0x80 >> UInt8(place % 8)
            let said = expectSameEvents(damaged.flatMap { $0 }, twoPieceSplits: 16, randomSplits: 4) {
                ADTSFramer()
            }
            #expect(said.frames.map(\.bytes) == Array(frames[..<9]) + Array(frames[10...]), "bit \(bit)")
            #expect(said.discontinuities == 1)
        }
    }

    @Test("Missing bytes cost one frame") func missingBytes() {
        var frames = sample.frames(20, seed: 8)
        var torn = frames
        torn[9].removeSubrange(30..<50)
        let said = expectSameEvents(torn.flatMap { $0 }) { ADTSFramer() }
        frames.remove(at: 9)
        #expect(said.frames.map(\.bytes) == frames && said.discontinuities == 1)
    }

    @Test("A change of format needs three headers") func formatChange() {
        let stereo = sample.frames(6, seed: 9)
        let mono = ADTSSample(channels: 1).frames(6, seed: 10)
        let said = expectSameEvents((stereo + mono + stereo).flatMap { $0 }) { ADTSFramer() }
        #expect(said.frames.map(\.bytes) == stereo + mono + stereo)
        #expect(said.formats.map(\.channels) == [2, 1, 2] && said.discontinuities == 0)
        let short = expectSameEvents((stereo + mono[..<2] + stereo).flatMap { $0 }) { ADTSFramer() }
        #expect(short.frames.map(\.bytes) == stereo + stereo && short.formats.count == 1)
    }

    @Test("Header bits without meaning do not change the format") func meaninglessBits() {
        let frames = sample.frames(6, seed: 11) + ADTSSample(isPrivate: true).frames(6, seed: 12)
        let said = expectSameEvents(frames.flatMap { $0 }) { ADTSFramer() }
        #expect(said.frames.map(\.bytes) == frames && said.formats.count == 1)
    }

    @Test("Tags are skipped wherever they are in a stream") func tags() {
        let frames = sample.frames(12, seed: 13)
        let id3 = ID3v2Tag(frames: [.text(id: "TIT2", "x")]).encoded(size: 700)
        let old = Array("TAG".utf8) + [UInt8](repeating: 0x20, count: 125)
        let ape = Array("APETAGEX".utf8) + [0xD0, 7, 0, 0, 0, 0, 0, 0] + [UInt8](repeating: 0, count: 16)
        let input =
            id3 + frames[..<4].joined() + id3 + id3 + frames[4..<8].joined() + old + frames[8...].joined() + ape + old
        let said = expectSameEvents(input) { ADTSFramer() }
        #expect(said.frames.map(\.bytes) == frames && said.skipped(.tag) == 3 * 700 + 2 * 128 + 32)
        #expect(said.skipped() == said.skipped(.tag) && said.discontinuities == 0)
    }

    @Test("B13: The title of an ID3 tag is reported at its frame, and a tag without a title reports nothing")
    func titles() {
        let frames = sample.frames(12, seed: 19)
        let title = ID3v2Tag(frames: [.text(id: "TPE1", "Zoë"), .text(id: "TIT2", "A song")]).encoded(size: 300)
        // A private frame with a time stamp, as at the beginning of HLS segments.
        let stamp = Array("com.apple.streaming.transportStreamTimestamp\0".utf8) + [0, 0, 0, 0, 0, 1, 2, 3]
        let length = UInt8(stamp.count)
        let priv =
            Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, length + 10] + Array("PRIV".utf8) + [0, 0, 0, length, 0, 0] + stamp
        let said = expectSameEvents(
            priv + frames[..<4].joined() + title + frames[4..<8].joined() + priv + frames[8...].joined()
        ) {
            ADTSFramer()
        }
        #expect(said.frames.map(\.bytes) == frames && said.titles == ["Zoë - A song"])
        let place = said.entries.firstIndex(of: .title("Zoë - A song")) ?? 0
        #expect(said.entries[..<place].count { if case .frame = $0 { true } else { false } } == 4)
        #expect(said.discontinuities == 0)
    }

    @Test("B14: A frame may have another number of blocks than its neighbours", arguments: 1...4, 1...4)
    func blockCounts(_ usual: Int, _ other: Int) {
        var frames = ADTSSample(blocks: usual).frames(12, seed: 21)
        frames[5] = ADTSSample(blocks: other).frames(1, seed: 22)[0]
        frames[11] = ADTSSample(blocks: other).frames(1, seed: 23)[0]
        let said = expectSameEvents(frames.flatMap { $0 }, twoPieceSplits: 8, randomSplits: 4) { ADTSFramer() }
        #expect(said.frames.map(\.bytes) == frames)
        #expect(said.frames.map(\.samples) == (0..<12).map { 1024 * ([5, 11].contains($0) ? other : usual) })
        #expect(said.discontinuities == 0)
    }

    @Test("A tag in mid-stream that claims too many bytes is skipped as junk") func overlongTag() {
        let frames = sample.frames(12, seed: 14)
        let lie = Array("ID3".utf8) + [4, 0, 0, 0x60, 0, 0, 0]
        let said = expectSameEvents(frames[..<6].joined() + lie + frames[6...].joined()) { ADTSFramer() }
        #expect(said.frames.map(\.bytes) == frames && said.skipped(.junk) == lie.count)
        let first = FramerTranscript(of: [(lie + frames.joined())[...]], by: ADTSFramer())
        #expect(first.skipped(.tag) == lie.count + frames.joined().count)
    }

    @Test("An unfinished frame at the end is reported as truncated") func unfinishedFrame() {
        let frames = sample.frames(5, seed: 15)
        let said = expectSameEvents(frames.joined() + frames[0].dropLast()) { ADTSFramer() }
        #expect(said.frames.map(\.bytes) == frames && said.skipped(.truncated) == frames[0].count - 1)
    }

    @Test("No frames are found in noise") func noise() {
        var generator = SplitMix64(seed: 16)
        let said = expectSameEvents(generator.bytes(30_000), twoPieceSplits: 8, randomSplits: 4) { ADTSFramer() }
        #expect(said.frames.isEmpty && said.skipped(.junk) + said.skipped(.truncated) == 30_000)
    }

    @Test("In a mutated stream, every byte is accounted for, and each mutation costs two frames at most")
    func mutatedStreams() {
        var generator = SplitMix64(seed: 17)
        let frames = sample.frames(40, seed: 18)
        let known = Set(frames)
        for round in 0..<200 as Range<UInt64> {
            var input = frames.flatMap { $0 }
            for _ in 0..<4 {
                let place = Int.random(in: 0..<input.count - 200, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: input.removeSubrange(place..<place + Int.random(in: 1..<200, using: &generator))
                case 1: input.insert(contentsOf: generator.bytes(100), at: place)
                default: input.insert(contentsOf: [0xFF, 0xF1, 0x50, 0x80, 0x02, 0x1F, 0xFC], at: place)
                }
            }
            let whole = FramerTranscript(of: [input[...]], by: ADTSFramer())
            #expect(whole.accounted == input.count && !whole.ranAway, "round \(round)")
            let split = Split.random(seed: round).pieces(of: input[...])
            #expect(FramerTranscript(of: split, by: ADTSFramer()) == whole, "round \(round)")
            // Each of the four mutations costs two frames at most.
            #expect(whole.frames.count { known.contains($0.bytes) } >= 40 - 8, "round \(round)")
        }
    }

    private func transcript(_ frames: [[UInt8]]) -> FramerTranscript {
        FramerTranscript(of: [frames.flatMap { $0 }[...]], by: ADTSFramer())
    }
}

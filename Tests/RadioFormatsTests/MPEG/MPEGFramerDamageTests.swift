// SPDX-License-Identifier: MIT

import RadioFormats
import TestSupport
import Testing

/// Damage costs only what was hit, and every delivered frame is one of the source's.
struct MPEGFramerDamageTests {
    @Test(
        "A frame with a damaged header is skipped, and all other frames are kept",
        arguments: [SyntheticMPEG.Payload.random, .syncLaden, .silent])
    func damagedHeader(_ payload: SyntheticMPEG.Payload) {
        for bit in 0..<32 where !Self.harmless.contains(bit) {
            var source = SyntheticMPEG(seed: UInt64(bit))
            source.payload = payload
            source.sampleRateIndex = 1
            let frames = source.frames(20)
            var stream = frames
            stream[9][bit / 8] ^= 0x80 >> (bit % 8)
            let transcript = FramerTranscript(of: [stream.flatMap { $0 }[...]], by: MPEGAudioFramer())
            #expect(transcript.frames.map(\.bytes) == Array(frames[..<9] + frames[10...]), "bit \(bit)")
            #expect(transcript.discontinuities == 1 && transcript.skipped(.junk) == frames[9].count)
            #expect(transcript.formats.count == 1)
        }
    }

    @Test("A random wrong byte costs at most its frame and the frame before") func randomBytes() {
        for seed in 0..<10 as Range<UInt64> {
            var source = SyntheticMPEG(seed: seed)
            let frames = seed.isMultiple(of: 2) ? source.frames(120) : source.variableFrames(120)
            var damaged = frames
            var hit: Set<Int> = []
            for index in stride(from: 10, to: 110, by: 10) {
                let place = Int.random(in: 0..<frames[index].count, using: &source.generator)
                // Several bits change, because a header alone does not show that only its padding bit is wrong.
                damaged[index][place] ^= 0x5a
                if place < 4 { hit.insert(index) }
            }
            let input = damaged.flatMap { $0 }
            let transcript = expectSameEvents(input, twoPieceSplits: 1, randomSplits: 1, truncations: 1, seed: seed)
            let kept = Set(transcript.frames.map(\.bytes))
            for index in frames.indices where !hit.contains(index) && !hit.contains(index + 1) {
                #expect(kept.contains(damaged[index]), "seed \(seed): frame \(index) is lost")
            }
            #expect(kept.isSubset(of: Set(damaged)), "seed \(seed): a frame that is none")
        }
    }

    @Test("A frame that was cut in the middle is never delivered") func cutFrame() {
        for seed in 0..<20 as Range<UInt64> {
            var source = SyntheticMPEG(seed: seed)
            let frames = seed.isMultiple(of: 2) ? source.frames(40) : source.variableFrames(40)
            var stream = frames.flatMap { $0 }
            let place = Int.random(in: 4000...8000, using: &source.generator)
            stream.removeSubrange(place..<place + Int.random(in: 1...3000, using: &source.generator))
            let transcript = expectSameEvents(stream, twoPieceSplits: 1, randomSplits: 2, truncations: 1)
            #expect(Set(transcript.frames.map(\.bytes)).isSubset(of: Set(frames)), "seed \(seed)")
            #expect(transcript.frames.count >= 40 - 10, "seed \(seed)")
            #expect(transcript.discontinuities == 1, "seed \(seed)")
        }
    }

    @Test("B4: Audio full of headers is framed correctly") func headersInAudio() {
        for seed in 0..<10 as Range<UInt64> {
            var source = SyntheticMPEG(seed: seed)
            source.payload = .syncLaden
            let frames = seed.isMultiple(of: 2) ? source.frames(60) : source.variableFrames(60)
            let transcript = expectSameEvents(frames.flatMap { $0 }, twoPieceSplits: 4, randomSplits: 4)
            #expect(transcript.frames.map(\.bytes) == frames)
        }
    }

    @Test("Junk between frames is counted and flagged") func junk() {
        var source = SyntheticMPEG(seed: 20)
        let before = source.frames(5)
        let after = source.frames(5)
        var generator = SplitMix64(seed: 21)
        for count in [1, 3, 417, 12_000] {
            let stream = before.flatMap { $0 } + generator.bytes(count) + after.flatMap { $0 }
            let transcript = expectSameEvents(stream, twoPieceSplits: 4, randomSplits: 4, truncations: 4)
            // The frame before the junk has no header after it to confirm it, unless the junk is as long as a frame.
            let kept = count == 417 ? 5 : 4
            #expect(transcript.frames.map(\.bytes) == Array(before[..<kept] + after))
            #expect(transcript.skipped(.junk) == count + before[kept...].reduce(0) { $0 + $1.count })
            #expect(transcript.discontinuities == 1)
        }
    }

    @Test("No frames are found in input that is no audio") func notAudio() {
        var generator = SplitMix64(seed: 22)
        let inputs: [[UInt8]] = [
            generator.bytes(20_000), [UInt8](repeating: 0, count: 10_000), [UInt8](repeating: 0xff, count: 10_000),
            Array("<html><head><title>Radio</title></head>".utf8) + [UInt8](repeating: 0x20, count: 5000),
        ]
        for input in inputs {
            let transcript = expectSameEvents(input, twoPieceSplits: 4, randomSplits: 4, truncations: 4)
            #expect(transcript.frames.isEmpty && transcript.skipped(.junk) == input.count)
        }
    }

    @Test("Every byte of any input is accounted for") func anyBytes() {
        for seed in 0..<40 as Range<UInt64> {
            var generator = SplitMix64(seed: seed)
            // Bytes that make headers and tags likely.
            let alphabet: [UInt8] =
                [0xff, 0xff, 0xfb, 0xf3, 0xfd, 0x90, 0x00, 0x10, 0x64, 0xc4] + Array("ID3TAGXing".utf8)
            let input = (0..<3000).map { _ in alphabet.randomElement(using: &generator) ?? 0 }
            expectSameEvents(input, twoPieceSplits: 2, randomSplits: 3, truncations: 2, seed: seed)
        }
    }

    /// Bits that do not change where the frame ends: checksum, private, mode (but not to or from mono), mode extension,
    /// copyright, original, emphasis. A frame with one of these bits wrong is whole, and is kept.
    private static let harmless: Set<Int> = [15, 23, 24, 25, 26, 27, 28, 29, 30, 31]
}

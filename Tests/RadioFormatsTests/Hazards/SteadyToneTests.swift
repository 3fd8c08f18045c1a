// SPDX-License-Identifier: MIT

import RadioFormats
import TestSupport
import Testing

/// Audio whose frames are all equal: only the true headers may be accepted.
struct SteadyToneTests {
    private static let shapes = [48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000].flatMap {
        rate in
        [1, 2].map { (rate, $0) }
    }

    @Test(
        "B11: Steady tones of every bit rate, joined at any byte or damaged, yield only whole frames",
        arguments: shapes)
    func tones(_ sampleRate: Int, _ channels: Int) throws {
        var random = SplitMix64(seed: UInt64(sampleRate + channels))
        for tone in try SteadyTone.all(sampleRate: sampleRate, channels: channels) {
            checkJoins(tone)
            checkDamage(tone, &random)
            checkBitRates(tone)
        }
    }

    private func checkJoins(_ tone: SteadyTone) {
        let frames = Array(tone.frames.prefix(5))
        let bytes = frames.flatMap { $0 }
        for offset in 1...frames[0].count {
            let said = FramerTranscript(of: [bytes[offset...]], by: MPEGAudioFramer())
            if !said.hasFrames(frames[1...]) { Issue.record("\(tone.name), joined at \(offset)") }
        }
    }

    /// After lost, wrong or added bytes, the following frames are whole.
    private func checkDamage(_ tone: SteadyTone, _ random: inout SplitMix64) {
        let frames = tone.frames
        let known = Set(frames)
        for round in 0..<6 {
            var bytes = frames.flatMap { $0 }
            let place = Int.random(in: frames[..<8].joined().count..<frames[..<16].joined().count, using: &random)
            // The number of removed or added bytes is never a multiple of the frame length, because then the halves of
            // two equal frames would make a valid frame.
            let period = frames[0].count
            let count = Int.random(in: 0...2, using: &random) * period + Int.random(in: 3...period - 3, using: &random)
            switch round % 3 {
            case 0: bytes.removeSubrange(place..<place + count)
            case 1: bytes.insert(contentsOf: random.bytes(count), at: place)
            default: bytes[place] ^= UInt8.random(in: 1...255, using: &random)
            }
            let said = FramerTranscript(of: Split.every(1400).pieces(of: bytes[...]), by: MPEGAudioFramer())
            // A wrong byte that does not change where its frame ends leaves a valid frame, which differs from all
            // others.
            let foreign = said.frames.count { !known.contains($0.bytes) } - (round % 3 == 2 ? 1 : 0)
            #expect(foreign <= 0, "\(tone.name), round \(round) at \(place), \(count) bytes")
            #expect(said.frames.count >= frames.count - 3 - count / period, "\(tone.name), round \(round)")
            #expect(said.formats.count == 1 && said.accounted == bytes.count)
        }
    }

    /// A damaged header that names another bit rate costs its frame and at most the frame before.
    private func checkBitRates(_ tone: SteadyTone) {
        let frames = tone.frames
        for bitRate: UInt8 in 1...15 {
            var hit = frames[12]
            hit[2] ^= bitRate << 4
            let bytes = (frames[..<12] + [hit] + frames[13...]).flatMap { $0 }
            let said = FramerTranscript(of: [bytes[...]], by: MPEGAudioFramer())
            let kept = said.frames.map(\.bytes)
            let isWhole = kept == Array(frames[..<12] + frames[13...]) || kept == Array(frames[..<11] + frames[13...])
            if !isWhole { Issue.record("\(tone.name), bit rate ^ \(bitRate)") }
        }
    }

    /// Streams with constant content and the headers of ISO 11172-4 test vectors, which may not be redistributed.
    private struct Vector: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var change: @Sendable (inout SyntheticMPEG, Int) -> Void

        static let all = [
            Vector(testDescription: "he_32khz") { $0.step($1, sampleRate: 2) },
            Vector(testDescription: "he_44khz") { $0.step($1, sampleRate: 0) },
            Vector(testDescription: "he_48khz") { $0.step($1, sampleRate: 1) },
            Vector(testDescription: "he_free") { source, _ in
                (source.mode, source.bitRateIndex, source.freeLength) = (.mono, 0, 1_045)
            },
            Vector(testDescription: "he_free, whose mode changes") { source, number in
                (source.bitRateIndex, source.freeLength) = (0, 836)
                source.mode = number.isMultiple(of: 2) ? .stereo : .jointStereo
            },
            Vector(testDescription: "he_mode") { source, number in
                source.mode = [.stereo, .jointStereo, .dualChannel][number % 3]
            },
        ]
    }

    @Test(
        "B11: Streams of every bit rate, free format and changing modes can be joined at any byte",
        arguments: Vector.all)
    private func vectors(_ vector: Vector) {
        // The frames hold digital silence, once plain and once with a filler byte that some encoders use.
        for filler in [nil, 0x55] as [UInt8?] {
            var source = SyntheticMPEG(seed: 64)
            source.payload = .silent
            let frames = (0..<28).map { number in
                vector.change(&source, number)
                var frame = source.frame()
                if let filler { for place in 36..<frame.count { frame[place] = filler } }
                return frame
            }
            // The stream starts at a frame of each bit rate in turn.
            var place = 0
            for number in 0..<15 {
                let bytes = frames[number..<number + 12].flatMap { $0 }
                for offset in 0..<frames[number].count {
                    let said = FramerTranscript(of: [bytes[offset...]], by: MPEGAudioFramer())
                    let expected = frames[(offset == 0 ? number : number + 1)..<number + 12]
                    if !said.hasFrames(expected) { Issue.record("joined at \(place + offset)") }
                }
                place += frames[number].count
            }
        }
    }
}

extension SyntheticMPEG {
    /// Selects mono, the sample rate with this index, and another bit rate for each frame number.
    fileprivate mutating func step(_ number: Int, sampleRate: UInt32) {
        (mode, sampleRateIndex, bitRateIndex) = (.mono, sampleRate, UInt32(1 + number % 14))
    }
}

// SPDX-License-Identifier: MIT

import RadioFormats
import Testing

/// Audio whose frames are all alike: nothing but the true headers may be believed.
struct SteadyToneTests {
    private static let shapes = [48_000, 44_100, 32_000, 24_000, 16_000].flatMap { rate in [1, 2].map { (rate, $0) } }

    @Test("B11: steady tones of every bit rate, joined at every byte, yield whole frames only", arguments: shapes)
    func joins(_ sampleRate: Int, _ channels: Int) throws {
        for tone in try SteadyTone.all(sampleRate: sampleRate, channels: channels) {
            let frames = Array(tone.frames.prefix(5))
            let bytes = frames.flatMap { $0 }
            for offset in 1...frames[0].count {
                let said = FramerTranscript(of: [bytes[offset...]], by: MPEGAudioFramer())
                if said.frames.map(\.bytes) != Array(frames[1...]) { Issue.record("\(tone.name), joined at \(offset)") }
            }
        }
    }

    @Test("B11: after bytes are lost, wrong or added in steady tones, frames go on whole", arguments: shapes)
    func damage(_ sampleRate: Int, _ channels: Int) throws {
        var random = SplitMix64(seed: UInt64(sampleRate + channels))
        for tone in try SteadyTone.all(sampleRate: sampleRate, channels: channels) {
            let frames = tone.frames
            let known = Set(frames)
            for round in 0..<6 {
                var bytes = frames.flatMap { $0 }
                let place = Int.random(in: frames[..<8].joined().count..<frames[..<16].joined().count, using: &random)
                // Not by whole frames: a frame of two alike halves is like any other.
                let period = frames[0].count
                let count =
                    Int.random(in: 0...2, using: &random) * period + Int.random(in: 3...period - 3, using: &random)
                switch round % 3 {
                case 0: bytes.removeSubrange(place..<place + count)
                case 1: bytes.insert(contentsOf: random.bytes(count), at: place)
                default: bytes[place] ^= UInt8.random(in: 1...255, using: &random)
                }
                let said = FramerTranscript(of: Split.every(1400).pieces(of: bytes[...]), by: MPEGAudioFramer())
                // A wrong byte that does not end its frame elsewhere leaves it a frame.
                let foreign = said.frames.count { !known.contains($0.bytes) } - (round % 3 == 2 ? 1 : 0)
                #expect(foreign <= 0, "\(tone.name), round \(round) at \(place), \(count) bytes")
                #expect(said.frames.count >= frames.count - 3 - count / period, "\(tone.name), round \(round)")
                #expect(said.formats.count == 1 && said.accounted == bytes.count)
            }
        }
    }
}

// SPDX-License-Identifier: MIT

import RadioFormats
import Testing

/// Draining a framer at once yields the same events as `next` does one by one.
struct FramerDrainTests {
    @Test(
        "A framer that is drained at once yields the same events as one that is read event by event",
        arguments: 1...40 as ClosedRange<UInt64>) func equalEvents(seed: UInt64)
    {
        var random = SplitMix64(seed: seed)
        var source = SyntheticMPEG(seed: seed)
        source.payload = .random
        check(damaged(source.frames(60), &random), MPEGAudioFramer(), &random)
        check(damaged(source.variableFrames(60), &random), MPEGAudioFramer(), &random)
        check(damaged(ADTSSample().frames(60, seed: seed, wild: true), &random), ADTSFramer(), &random)
    }

    @Test("Adjacent frames are drained together") func adjacentFrames() {
        var source = SyntheticMPEG(seed: 1)
        let bytes = source.frames(30).flatMap { $0 }
        var framer = MPEGAudioFramer()
        bytes.withUnsafeBytes { framer.append($0) }
        framer.finish()
        var runs: [Int] = []
        var room: [Frame] = []
        framer.drain(by: &room) {
            if case .frames(let frames, let all) = $0 {
                runs.append(frames.count)
                #expect(Array(all) == bytes)
            }
            return true
        }
        #expect(runs == [30])
    }

    private func damaged(_ frames: [[UInt8]], _ random: inout SplitMix64) -> [UInt8] {
        var bytes = frames.flatMap { $0 }
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            let end = min(bytes.count, place + Int.random(in: 0...500, using: &random))
            bytes.replaceSubrange(
                place..<end, with: [UInt8](repeating: 7, count: Int.random(in: 0...90, using: &random)))
        }
        return bytes
    }

    private func check<F: Framer>(_ bytes: [UInt8], _ fresh: F, _ random: inout SplitMix64) {
        var (single, together) = (fresh, fresh)
        var (said, saidTogether): ([String], [String]) = ([], [])
        var room: [Frame] = []
        func drain() {
            while let event = single.next() {
                guard case .frame(let frame) = event else {
                    said.append("\(event)")
                    continue
                }
                said.append("\(frame.offset) \(frame.samples) " + single.withBytes(of: frame) { "\(Array($0))" })
            }
            together.drain(by: &room) { output in
                switch output {
                case .event(let event): saidTogether.append("\(event)")
                case .frames(let frames, let all):
                    for frame in frames {
                        let start = frame.range.lowerBound - frames[0].range.lowerBound
                        let own = Array(all[start..<start + frame.range.count])
                        saidTogether.append("\(frame.offset) \(frame.samples) \(own)")
                    }
                }
                return true
            }
        }
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest.prefix(Int.random(in: 1...5_000, using: &random))
            rest = rest.dropFirst(piece.count)
            piece.withUnsafeBytes {
                single.append($0)
                together.append($0)
            }
            drain()
        }
        single.finish()
        together.finish()
        drain()
        #expect(said == saidTogether && said.count > 40)
    }
}

// SPDX-License-Identifier: MIT

import Instants
import TestSupport
import Testing

@testable import RadioCore

@Suite struct FrameMatcherTests {
    private static let frame: Int64 = 2_900_000

    private static func marks(_ frames: [UInt64]) -> [FrameMark] {
        frames.map { FrameMark(fingerprint: $0, nanoseconds: UInt32(frame)) }
    }

    private static func memory(_ heard: [UInt64]) -> FrameMemory {
        var memory = FrameMemory()
        for mark in marks(heard) { memory.append(mark) }
        return memory
    }

    /// Frames of few kinds, often several equal ones in a row, mixed with parts of the delivered frames.
    private static func frames(
        _ count: Int, kinds: UInt64, repeating heard: [UInt64] = [], _ random: inout SplitMix64
    ) -> [UInt64] {
        var frames: [UInt64] = []
        while frames.count < count {
            let length = Int.random(in: 1...12, using: &random)
            if !heard.isEmpty, Bool.random(using: &random) {
                let start = Int.random(in: 0..<heard.count, using: &random)
                frames += heard[start..<min(heard.count, start + 3 * length)]
            } else {
                frames += Array(repeating: UInt64.random(in: 0..<kinds, using: &random), count: length)
            }
        }
        return Array(frames.prefix(count))
    }

    /// The offsets at which eight telling frames match: the eight newest frames, or the last eight before the end of
    /// the delivered frames. If all common frames match at some offset, only such offsets count.
    private static func told(_ heard: [UInt64], _ new: [UInt64]) -> Set<Int> {
        func isTelling(_ frames: ArraySlice<UInt64>) -> Bool { Set(frames).count >= 3 }
        let all = (1 - new.count..<heard.count).filter { offset in
            let end = min(new.count, heard.count - offset)
            guard end >= 8, end - 8 + offset >= 0, isTelling(new[end - 8..<end]) else { return false }
            return new[end - 8..<end] == heard[end - 8 + offset..<end + offset]
        }
        let full = all.filter { isFull(heard, new, $0) }
        return Set(full.isEmpty ? all : full)
    }

    private static func isFull(_ heard: [UInt64], _ new: [UInt64], _ offset: Int) -> Bool {
        let common = max(0, -offset)..<min(new.count, heard.count - offset)
        return common.allSatisfy { new[$0] == heard[$0 + offset] }
    }

    @Test("The matcher finds the same places as an exhaustive search, in music, loops and silence")
    func places() {
        var random = SplitMix64(seed: 3)
        for round in 0..<300 {
            let kinds = UInt64([1, 3, 5, 40][round % 4])
            let heard = Self.frames(.random(in: 1...90, using: &random), kinds: kinds, &random)
            let new = Self.frames(40, kinds: kinds, repeating: heard, &random)
            var matcher = FrameMatcher(Self.memory(heard))
            for (count, mark) in zip(1..., Self.marks(new)) {
                matcher.add(mark)
                let so = Array(new.prefix(count))
                let told = matcher.told()
                #expect(Set(told.map(\.offset)) == Self.told(heard, so), "round \(round), frame \(count)")
                for place in told {
                    #expect(place.isFull == Self.isFull(heard, so, place.offset))
                    #expect(place.drop == heard.count - place.offset)
                    #expect(place.lead == .nanoseconds(Int64(heard.count - place.offset) * Self.frame))
                }
                let wanted = Int.random(in: -5...heard.count + 5, using: &random)
                let fitting = matcher.fitting(.nanoseconds(Int64(wanted) * Self.frame), within: .milliseconds(10))
                let expected = (heard.count - wanted - 3...heard.count - wanted + 3).filter {
                    $0 < heard.count && $0 > -count && Self.isFull(heard, so, $0)
                }
                #expect(fitting.map(\.offset) == expected, "round \(round), frame \(count), wanted \(wanted)")
            }
        }
    }
}

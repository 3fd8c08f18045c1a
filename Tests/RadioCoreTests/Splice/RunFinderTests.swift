// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import RadioCore

@Suite struct RunFinderTests {
    private static func marks(_ frames: [UInt64]) -> [FrameMark] {
        frames.map { FrameMark(fingerprint: $0, nanoseconds: 2_900_000) }
    }

    private static func finder(after heard: [UInt64]) -> RunFinder {
        var memory = FrameMemory()
        for mark in marks(heard) { memory.append(mark) }
        return RunFinder(memory)
    }

    /// How many frames up to both places are the same: what a finder is to know of all places at once.
    private static func run(_ heard: ArraySlice<UInt64>, _ new: ArraySlice<UInt64>) -> Int {
        zip(heard.reversed(), new.reversed()).prefix { $0 == $1 }.count
    }

    @Test("runs are those that a look at each place finds, in music, loops and silence")
    func runs() {
        var random = SplitMix64(seed: 3)
        for round in 0..<300 {
            let kinds = UInt64([1, 2, 3, 20][round % 4])
            /// Few kinds of frames, often several alike in a row, and parts of what was heard once more.
            func frames(_ count: Int, repeating heard: [UInt64] = []) -> [UInt64] {
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
            let heard = frames(Int.random(in: 1...90, using: &random))
            let new = frames(60, repeating: heard)
            var finder = Self.finder(after: heard)
            var complete: [Int] = []
            for (count, mark) in zip(1..., Self.marks(new)) {
                finder.add(mark)
                let runs = heard.indices.map { Self.run(heard[...$0], new[..<count]) }
                let pending = runs.dropLast().filter { $0 >= 8 || $0 == count }
                #expect(finder.pending().map(\.run) == pending, "round \(round), frame \(count)")
                #expect(finder.longestRun == runs.max(), "round \(round), frame \(count)")
                #expect(finder.placeCount == runs.count { $0 > 0 }, "round \(round), frame \(count)")
                if let last = runs.last, last > 0 { complete.append(last) }
                #expect(finder.complete.map(\.run) == complete, "round \(round), frame \(count)")
            }
        }
    }

    @Test("a frame costs a look at each stretch of its kind: one in a silence, and never more than a bound")
    func cost() {
        var silence = Self.finder(after: Array(repeating: 1, count: 1 << 15))
        for mark in Self.marks(Array(repeating: 1, count: 6_000)) {
            silence.add(mark)
            #expect(silence.found.count == 1)
        }
        #expect(silence.complete.last?.run == 6_000)
        // A silence that alternates between two kinds of frames.
        var alternating = Self.finder(after: (0..<1 << 15).map { $0 % 2 })
        for mark in Self.marks((0..<6_000).map { $0 % 2 }) {
            alternating.add(mark)
            #expect(alternating.found.count == RunFinder.mostStretches)
        }
    }
}

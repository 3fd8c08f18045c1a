// SPDX-License-Identifier: MIT

import RadioFormats
import Testing

@testable import RadioCore

/// What tells the bodies of connections apart.
struct BodyTraceTests {
    private static func trace(_ marks: some Sequence<UInt64>) -> BodyTrace {
        var trace = BodyTrace()
        for mark in marks {
            var facts = FrameFacts(samples: 1_152, backReference: 0)
            facts.mark = FrameMark(fingerprint: mark, nanoseconds: 26_122_448)
            trace.add(FrameBatch(facts, length: 1))
        }
        return trace
    }

    @Test("Bodies are the same if all of their frames are", arguments: [20, 64, 100, 5_000])
    func same(count: UInt64) {
        let trace = Self.trace(0..<count)
        #expect(trace.isSame(as: Self.trace(0..<count)))
        #expect(!trace.isSame(as: Self.trace(0..<count + 1)) && !trace.isSame(as: Self.trace(1...count)))
        let place = min(count, 4_000) - 1
        #expect(!trace.isSame(as: Self.trace((0..<count).map { $0 == place ? 9_999 : $0 })))
    }

    @Test("A body follows another as long as it has the same frames, and no more of them") func follows() {
        let file = Self.trace(0..<200)
        #expect(Self.trace(0..<64).follows(file) && Self.trace(0..<200).follows(file))
        #expect(!Self.trace(0..<63).follows(file), "too few")
        #expect(!Self.trace(0..<201).follows(file) && !Self.trace(1..<129).follows(file))
        #expect(!Self.trace(Array(0..<64) + Array(300..<364)).follows(file))
    }

    @Test("Silence is no evidence") func silence() {
        let silence = Self.trace(Array(repeating: 1, count: 200))
        #expect(!silence.isSame(as: silence) && !silence.follows(silence))
    }
}

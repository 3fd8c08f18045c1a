// SPDX-License-Identifier: MIT

import Instants
import Testing

@testable import RadioCore

/// How another lineage continues a programme of which the frames 0 to 99 were delivered, each 100 ms long.
struct HLSLineageJoinTests {
    /// The verdict on frames that come one by one.
    private func verdict(
        after heard: [UInt64] = Array(0..<100), on frames: [UInt64], isNewest: Bool = true, lead: Duration? = nil
    ) -> HLSLineageJoin.Verdict {
        var memory = FrameMemory()
        for frame in heard { memory.append(Self.mark(frame)) }
        var join = HLSLineageJoin(after: memory)
        for frame in frames { join.add(Self.mark(frame)) }
        return join.verdict(isNewest: isNewest, lead: lead)
    }

    private static func mark(_ number: UInt64) -> FrameMark {
        FrameMark(fingerprint: (number &+ 1) &* 0x9E37_79B9_7F4A_7C15, nanoseconds: 100_000_000)
    }

    @Test("Frames that were delivered are dropped, up to the end of what was delivered") func match() {
        #expect(verdict(on: Array(80..<130)) == .join(drop: 20))
        #expect(verdict(on: Array(92..<130)) == .join(drop: 8))
    }

    @Test("Frames that do not reach beyond the end wait for more, also at the end of the list") func within() {
        #expect(verdict(on: Array(80..<95)) == .hold)
        #expect(verdict(on: Array(80..<100), isNewest: false) == .hold)
    }

    @Test("Frames that equal none are a gap once no more are listed") func nothing() {
        #expect(verdict(on: Array(500..<560), isNewest: false) == .hold)
        #expect(verdict(on: Array(500..<560)) == .gap)
        #expect(verdict(on: []) == .gap)
    }

    @Test("Fewer than eight equal frames prove nothing") func few() {
        #expect(verdict(on: Array(97..<160)) == .gap)
    }

    @Test("In silence, the dates decide, and without dates nothing does") func silence() {
        let heard = Array(0..<60) + [UInt64](repeating: 7_000, count: 40)
        let new = [UInt64](repeating: 7_000, count: 30) + Array(200..<260)
        #expect(verdict(after: heard, on: new, lead: .seconds(2)) == .join(drop: 20))
        #expect(verdict(after: heard, on: new) == .gap)
    }

    @Test("Of the places in a loop, the one that is closest in time counts") func loop() {
        let round = Array(0..<20) as [UInt64]
        let heard = Array((0..<5).map { _ in round }.joined())
        let new = Array((0..<4).map { _ in round }.joined())
        #expect(verdict(after: heard, on: new, lead: .milliseconds(4_100)) == .join(drop: 40))
        #expect(verdict(after: heard, on: new, lead: .milliseconds(1_900)) == .join(drop: 20))
    }
}

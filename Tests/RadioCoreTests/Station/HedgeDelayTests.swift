// SPDX-License-Identifier: MIT

import Testing

@testable import RadioCore

@Suite struct HedgeDelayTests {
    private static func delay(burst: Duration?, pause: Duration? = nil, stall: Duration = .seconds(10)) -> Duration {
        HedgeDelay(burst: burst, pause: pause).duration(stall: stall)
    }

    @Test("The hedge delay is half of the burst, within bounds") func halfBurst() {
        // These are bursts of 64 KiB at 128 and at 320 kbit/s.
        #expect(Self.delay(burst: .milliseconds(4_096)) == .milliseconds(2_048))
        #expect(Self.delay(burst: .milliseconds(1_638)) == .milliseconds(819))
        #expect(Self.delay(burst: .zero) == .milliseconds(600))
        #expect(Self.delay(burst: .seconds(30)) == .milliseconds(2_500))
        #expect(Self.delay(burst: nil) == .milliseconds(2_500))
    }

    @Test("The usual pauses of a station are no stall") func usualPauses() {
        #expect(Self.delay(burst: .seconds(1), pause: .milliseconds(100)) == .milliseconds(600))
        #expect(Self.delay(burst: .seconds(1), pause: .milliseconds(330)) == .milliseconds(1_320))
        #expect(Self.delay(burst: .seconds(1), pause: .seconds(1)) == .seconds(4))
    }

    @Test("The hedge delay leaves the hedge some time before the stalled connection is dropped") func stallLimit() {
        #expect(Self.delay(burst: .seconds(1), pause: .seconds(3)) == .seconds(5))
        #expect(Self.delay(burst: nil, pause: .seconds(4)) == .seconds(6))
        #expect(Self.delay(burst: nil, pause: .seconds(Int64.max)) == .seconds(9))
        #expect(Self.delay(burst: nil, stall: .milliseconds(600)) == .milliseconds(300))
        #expect(Self.delay(burst: .seconds(-4), pause: .seconds(-1)) == .milliseconds(600))
    }

    @Test("At most four hedges are open while most stations stall together") func restraint() {
        func allows(_ live: Int, _ silent: Int, _ hedges: Int) -> Bool {
            HedgeRestraint(expected: live, silent: silent, hedges: hedges).allowsAnother
        }
        #expect(allows(200, 101, 3))
        #expect(!allows(200, 101, 4))
        #expect(allows(200, 100, 99))
        #expect(!allows(5, 3, 4))
        #expect(!allows(4, 4, 4))
        #expect(allows(3, 3, 3))
    }
}

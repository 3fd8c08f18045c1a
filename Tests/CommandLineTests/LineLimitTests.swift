// SPDX-License-Identifier: MIT

import Instants
import Testing

@testable import aircheck

/// A limit for log lines that a station can cause in any number.
struct LineLimitTests {
    @Test("Ten lines a minute are printed, and the others are counted") func tenPerMinute() {
        var limit = LineLimit()
        let start = MonotonicInstant(nanoseconds: 0)
        let said = (0..<600).filter { limit.admits(at: start + .milliseconds(100 * $0)) }
        #expect(said == Array(0..<10) && limit.takeLeftOut() == 590)
        #expect(limit.leftOut == 0 && limit.admits(at: start + .seconds(60)) && limit.takeLeftOut() == 0)
    }

    @Test("Lines that come now and then are all printed") func rareLines() {
        var limit = LineLimit()
        let start = MonotonicInstant(nanoseconds: 0)
        let isSaid = (0..<100).allSatisfy { limit.admits(at: start + .seconds(7 * $0)) }
        #expect(isSaid && limit.leftOut == 0)
    }
}

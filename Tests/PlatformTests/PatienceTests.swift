// SPDX-License-Identifier: MIT

import Instants
import Testing

@testable import Platform

struct PatienceTests {
    private func second(_ number: Double) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: Int64(number * 1e9))
    }

    @Test func `a deadline asks, and kills when the grace is over`() {
        var patience = Patience(deadline: second(10), grace: .seconds(2))
        #expect(patience.order(at: second(9), wish: nil) == nil && patience.milliseconds(at: second(9)) == 1_000)
        #expect(patience.order(at: second(10), wish: nil) == .ask && patience.cause == .deadline)
        #expect(patience.order(at: second(11.5), wish: nil) == nil && patience.milliseconds(at: second(11.5)) == 500)
        #expect(patience.order(at: second(12), wish: nil) == .kill && patience.cause == .deadline)
        #expect(patience.order(at: second(20), wish: .kill) == nil && patience.milliseconds(at: second(20)) == -1)
    }

    @Test func `who is asked twice is asked once, and killed all the same`() {
        var patience = Patience(deadline: nil, grace: .seconds(2))
        #expect(patience.milliseconds(at: second(0)) == -1)
        #expect(patience.order(at: second(1), wish: .ask) == .ask && patience.cause == .wish)
        #expect(patience.order(at: second(2), wish: .ask) == nil)
        #expect(patience.order(at: second(3), wish: .ask) == .kill)
    }

    @Test func `a wish to kill does not wait`() {
        var patience = Patience(deadline: second(10), grace: .seconds(2))
        #expect(patience.order(at: second(1), wish: .kill) == .kill && patience.cause == .wish)
    }

    @Test func `a deadline in years is waited for as long as poll can`() {
        let patience = Patience(deadline: MonotonicInstant(nanoseconds: .max), grace: .zero)
        #expect(patience.milliseconds(at: second(0)) > 0)
    }
}

// SPDX-License-Identifier: MIT

import Instants
import Testing

@testable import Platform

struct EndOrdersTests {
    private func second(_ number: Double) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: Int64(number * 1e9))
    }

    @Test("At its deadline a process is asked to end, and is killed after the grace period") func deadline() {
        var orders = EndOrders(deadline: second(10), grace: .seconds(2))
        #expect(orders.order(at: second(9), mustDie: false) == nil && orders.milliseconds(at: second(9)) == 1_000)
        #expect(!orders.isTooSlow && orders.order(at: second(10), mustDie: false) == .ask && orders.isTooSlow)
        #expect(orders.order(at: second(11.5), mustDie: false) == nil)
        #expect(orders.milliseconds(at: second(11.5)) == 500)
        #expect(orders.order(at: second(12), mustDie: false) == .kill && orders.isTooSlow)
        #expect(orders.order(at: second(20), mustDie: true) == nil && orders.milliseconds(at: second(20)) == -1)
    }

    @Test("A process that must die is killed at once") func mustDie() {
        var orders = EndOrders(deadline: nil, grace: .seconds(2))
        #expect(orders.milliseconds(at: second(0)) == -1)
        #expect(orders.order(at: second(1), mustDie: true) == .kill && !orders.isTooSlow)
    }

    @Test("A deadline in years gives a valid timeout for poll") func distantDeadline() {
        let orders = EndOrders(deadline: MonotonicInstant(nanoseconds: .max), grace: .zero)
        #expect(orders.milliseconds(at: second(0)) > 0)
    }
}

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
        #expect(orders.order(at: second(9), wish: nil) == nil && orders.milliseconds(at: second(9)) == 1_000)
        #expect(orders.order(at: second(10), wish: nil) == .ask && orders.cause == .deadline)
        #expect(orders.order(at: second(11.5), wish: nil) == nil && orders.milliseconds(at: second(11.5)) == 500)
        #expect(orders.order(at: second(12), wish: nil) == .kill && orders.cause == .deadline)
        #expect(orders.order(at: second(20), wish: .kill) == nil && orders.milliseconds(at: second(20)) == -1)
    }

    @Test("A process that is asked to end twice gets one request, and is killed after the grace period")
    func askedTwice() {
        var orders = EndOrders(deadline: nil, grace: .seconds(2))
        #expect(orders.milliseconds(at: second(0)) == -1)
        #expect(orders.order(at: second(1), wish: .ask) == .ask && orders.cause == .wish)
        #expect(orders.order(at: second(2), wish: .ask) == nil)
        #expect(orders.order(at: second(3), wish: .ask) == .kill)
    }

    @Test("A wish to kill is carried out at once") func wishToKill() {
        var orders = EndOrders(deadline: second(10), grace: .seconds(2))
        #expect(orders.order(at: second(1), wish: .kill) == .kill && orders.cause == .wish)
    }

    @Test("An order that is given after the orders were read wakes the poll") func lateOrder() throws {
        let wishes = try SubprocessWishes()
        let ask = wishes.toEnd.descriptor
        let kill = wishes.toKill.descriptor
        let order = wishes.order
        wishes.toEnd.raise()
        wishes.toKill.raise()
        #expect(order == nil && wishes.descriptors(beyond: order) == [ask, kill])
        #expect(wishes.descriptors(beyond: .ask) == [-1, kill])
        #expect(wishes.order == .kill && wishes.descriptors(beyond: .kill) == [-1, -1])
    }

    @Test("A deadline in years gives a valid timeout for poll") func distantDeadline() {
        let orders = EndOrders(deadline: MonotonicInstant(nanoseconds: .max), grace: .zero)
        #expect(orders.milliseconds(at: second(0)) > 0)
    }
}

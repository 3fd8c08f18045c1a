// SPDX-License-Identifier: MIT

import Instants
import Testing

@testable import Platform

struct PatienceTests {
    private func second(_ number: Double) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: Int64(number * 1e9))
    }

    @Test("At its deadline a process is asked to end, and is killed after the grace period") func deadline() {
        var patience = Patience(deadline: second(10), grace: .seconds(2))
        #expect(patience.order(at: second(9), wish: nil) == nil && patience.milliseconds(at: second(9)) == 1_000)
        #expect(patience.order(at: second(10), wish: nil) == .ask && patience.cause == .deadline)
        #expect(patience.order(at: second(11.5), wish: nil) == nil && patience.milliseconds(at: second(11.5)) == 500)
        #expect(patience.order(at: second(12), wish: nil) == .kill && patience.cause == .deadline)
        #expect(patience.order(at: second(20), wish: .kill) == nil && patience.milliseconds(at: second(20)) == -1)
    }

    @Test("A process that is asked to end twice gets one request, and is killed after the grace period")
    func askedTwice() {
        var patience = Patience(deadline: nil, grace: .seconds(2))
        #expect(patience.milliseconds(at: second(0)) == -1)
        #expect(patience.order(at: second(1), wish: .ask) == .ask && patience.cause == .wish)
        #expect(patience.order(at: second(2), wish: .ask) == nil)
        #expect(patience.order(at: second(3), wish: .ask) == .kill)
    }

    @Test("A wish to kill is carried out at once") func wishToKill() {
        var patience = Patience(deadline: second(10), grace: .seconds(2))
        #expect(patience.order(at: second(1), wish: .kill) == .kill && patience.cause == .wish)
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
        let patience = Patience(deadline: MonotonicInstant(nanoseconds: .max), grace: .zero)
        #expect(patience.milliseconds(at: second(0)) > 0)
    }
}

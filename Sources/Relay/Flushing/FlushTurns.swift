// SPDX-License-Identifier: MIT

import EventLoop
import Instants

/// Visits listeners when they are due: owns the wheel and the timer that drives it.
final class FlushTurns<Member: FlushMember> {
    private var wheel = FlushWheel<Member>()
    private var round: FlushRound
    private var timer: (any ReactorTimer)?
    /// The tick for which the timer is armed.
    private var timerTick: Int64?
    private let reactor: any Reactor
    private let visit: (Member) -> Void

    /// The number of listeners after which the clock is read again.
    private static var sliceCheck: Int { 16 }

    /// Creates the turns. `visit` is called with each member that is due; it may remove any member.
    init(_ reactor: any Reactor, visit: @escaping (Member) -> Void) {
        self.reactor = reactor
        self.visit = visit
        round = FlushRound(from: FlushTicks.at(reactor.now))
        timer = reactor.makeTimer { [unowned self] in
            timerTick = nil
            turn()
        }
    }

    var count: Int { wheel.count }

    /// All members, in unspecified order.
    var all: [Member] { wheel.all }

    /// Adds a member. Call ``armForNextTurn()`` afterwards.
    func add(_ member: Member, level: Int) { wheel.add(member, level: level) }

    func remove(_ member: Member) { wheel.remove(member) }

    /// Moves a member to another level.
    func move(_ member: Member, to level: Int) {
        wheel.remove(member)
        wheel.add(member, level: level)
        armForNextTurn()
    }

    /// Arms the timer for the next tick at which a member is due.
    func armForNextTurn() {
        if let tick = wheel.nextTurn(after: round.tick) { arm(tick) }
    }

    /// Stops visiting members.
    func cancel() {
        timer?.cancel()
        timer = nil
    }

    /// Visits all members that are due, or as many as there is time for.
    func turn() {
        let due = FlushTicks.at(reactor.now)
        let deadline = reactor.readClocks().now + Mount.slice
        var seen = 0
        while let member = round.next(on: wheel, upTo: due) {
            visit(member)
            seen += 1
            if seen % Self.sliceCheck == 0, reactor.readClocks().now >= deadline {
                // Continue in the next turn of the loop.
                return arm(FlushTicks.at(reactor.now))
            }
        }
        armForNextTurn()
    }

    private func arm(_ tick: Int64) {
        if let timerTick, timerTick <= tick { return }
        timerTick = tick
        timer?.arm(at: FlushTicks.start(of: tick))
    }
}

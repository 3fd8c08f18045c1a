// SPDX-License-Identifier: MIT

import EventLoop
import Instants

/// Gives listeners their turns: the wheel on which they stand, and the timer that turns it. Confined to the loop's
/// thread.
final class FlushTurns<Member: FlushMember> {
    private var wheel = FlushWheel<Member>()
    private var round: FlushRound
    private var timer: (any ReactorTimer)?
    /// When the timer is due, in ticks.
    private var timerTick: Int64?
    private let reactor: any Reactor
    private let visit: (Member) -> Void

    /// The clock is read each time that this number of listeners has been served.
    private static var sliceCheck: Int { 16 }

    /// `visit` is called with each member when its turn has come; it may remove any.
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

    /// All of them, in no order that matters.
    var all: [Member] { wheel.all }

    /// Gives a member a place; ``armForNextTurn()`` is to follow.
    func add(_ member: Member, level: Int) { wheel.add(member, level: level) }

    func remove(_ member: Member) { wheel.remove(member) }

    /// Gives a member a place of another level.
    func move(_ member: Member, to level: Int) {
        wheel.remove(member)
        wheel.add(member, level: level)
        armForNextTurn()
    }

    /// Sees to it that the timer fires when somebody's turn comes.
    func armForNextTurn() {
        if let tick = wheel.nextTurn(after: round.tick) { arm(tick) }
    }

    /// No more turns.
    func cancel() {
        timer?.cancel()
        timer = nil
    }

    /// Gives all members their turn that are due, or as many as there is time for.
    func turn() {
        let due = FlushTicks.at(reactor.now)
        let deadline = reactor.readClocks().now + Mount.slice
        var seen = 0
        while let member = round.next(on: wheel, upTo: due) {
            visit(member)
            seen += 1
            if seen % Self.sliceCheck == 0, reactor.readClocks().now >= deadline {
                // Goes on in the next turn of the loop.
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

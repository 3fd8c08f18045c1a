// SPDX-License-Identifier: MIT

import EventLoop
import HTTPServer
import Instants
import RadioCore

// Who is sent what, and when.
extension Mount {
    /// Work of one turn of the loop at most, so that nobody else on it waits for long.
    static let slice = Duration.milliseconds(5)
    /// The clock is read after so many listeners.
    private static let sliceCheck = 16

    /// Gives all listeners their turn that are due, or as many as there is time for.
    func turn() {
        let due = FlushTicks.at(reactor.now)
        let deadline = reactor.readClocks().now + Self.slice
        var seen = 0
        while let listener = round.next(on: wheel, upTo: due) {
            visit(listener)
            seen += 1
            if seen % Self.sliceCheck == 0, reactor.readClocks().now >= deadline {
                // Goes on in the next turn of the loop.
                return arm(FlushTicks.at(reactor.now))
            }
        }
        if let wire { marks.turned(to: round.tick, wire.mediaTime) }
        armForNextTurn()
    }

    /// Sees to it that the timer fires when somebody's turn comes.
    func armForNextTurn() {
        if let tick = wheel.nextTurn(after: round.tick) { arm(tick) }
    }

    private func arm(_ tick: Int64) {
        if let timerTick, timerTick <= tick { return }
        timerTick = tick
        timer?.arm(at: FlushTicks.start(of: tick))
    }

    /// A listener's turn.
    func visit(_ listener: Listener) {
        guard let wire else { return }
        let now = reactor.now
        guard !listener.isDead(now, settings), !isAwayForGood else { return drop(listener) }
        if listener.isBlocked || wire.ring.isOverrun(listener.place.cursor) {
            if isTooFarBehind(listener, wire.ring), !skip(listener, wire, now) { return drop(listener) }
            // A socket that is full says when it takes more.
            guard !listener.isBlocked else { return }
        }
        goOn(listener, wire, now)
    }

    /// The listener's socket has become ready.
    func isReady(_ listener: Listener, for readiness: Readiness) {
        if readiness.contains(.read), !listener.drainInput() { return drop(listener) }
        if readiness.contains(.write), let wire { goOn(listener, wire, reactor.now) }
    }

    /// Sends all that there is for a listener whose socket may take it.
    private func goOn(_ listener: Listener, _ wire: Wire, _ now: MonotonicInstant) {
        if outage.isAway(now) {
            consoleIfDue(listener, wire, now)
        } else {
            endComfort(of: listener)
            if listener.place.cursor == gapEdge { rejoin(listener, wire) }
        }
        send(listener, wire, now)
    }

    /// The last that a listener gets: what its socket takes at once.
    func sendRest(to listener: Listener) {
        guard let wire else { return }
        send(listener, wire, reactor.now)
        drop(listener)
    }

    private func send(_ listener: Listener, _ wire: Wire, _ now: MonotonicInstant) {
        switch listener.flush(wire.ring, wire.titles, now: now) {
        case .behind: break
        case .caughtUp: if hasEnded { drop(listener) }
        case .over, .broken: drop(listener)
        }
    }
}

// MARK: - Slow listeners

extension Mount {
    private func isTooFarBehind(_ listener: Listener, _ ring: Ring) -> Bool {
        let cursor = listener.place.cursor
        guard ring.liveEdge.slab - cursor.slab > 1 else { return false }
        return ring.isOverrun(cursor) || ring.lag(of: cursor) > settings.largestBurst + settings.slack
    }

    /// A cursor that the ring's tail is about to overtake goes on at the newest join point. False where the listener is
    /// not worth keeping.
    private func skip(_ listener: Listener, _ wire: Wire, _ now: MonotonicInstant) -> Bool {
        let cursor = listener.place.cursor
        let target = wire.ring.joinPoint(behind: settings.burst)
        return listener.skip(
            to: target, header: wire.header(at: target, comingFrom: cursor),
            leavingOut: wire.ring.lag(of: cursor) - wire.ring.lag(of: target), wire.ring, now: now, settings)
    }
}

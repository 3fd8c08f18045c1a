// SPDX-License-Identifier: MIT

import EventLoop
import HTTPServer
import Instants
import RadioCore

// Who is sent what, and when.
extension Mount {
    /// Work of one turn of the loop at most, so that nobody else on it waits for long.
    private static let slice = Duration.milliseconds(5)
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
        mark()
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

    /// Remembers, about once in a round, how far the audio had come.
    private func mark() {
        guard let wire, round.tick - marks.tick >= FlushTicks.longest else { return }
        marks = (marks.last, wire.mediaTime, round.tick)
    }

    /// A listener's turn.
    func visit(_ listener: Listener) {
        guard let wire else { return }
        let (ring, now) = (wire.ring, reactor.now)
        if listener.isBlocked {
            // Its socket says when it takes more.
            if isTooFarBehind(listener, ring) { rescue(listener, wire, now) }
            return
        }
        if outage.isAway(now) {
            guard !isAwayForGood else { return drop(listener) }
            consoleIfDue(listener, wire, now)
        } else {
            endComfort(of: listener)
            if listener.place.cursor == gapEdge { rejoin(listener, wire, now) }
        }
        send(listener, ring, wire.titles, now)
    }

    /// The listener's socket has become ready.
    func isReady(_ listener: Listener, for readiness: Readiness) {
        if readiness.contains(.read), !listener.drainInput() { return drop(listener) }
        guard readiness.contains(.write), let wire else { return }
        if !outage.isAway(reactor.now) { endComfort(of: listener) }
        send(listener, wire.ring, wire.titles, reactor.now)
    }

    private func send(_ listener: Listener, _ ring: Ring, _ titles: TitleTimeline, _ now: MonotonicInstant) {
        switch listener.flush(ring, titles, now: now) {
        case .behind: break
        case .caughtUp: if isOver { drop(listener) }
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

    /// A cursor that the ring's tail is about to overtake goes on at the newest join point.
    private func rescue(_ listener: Listener, _ wire: Wire, _ now: MonotonicInstant) {
        if !move(listener, to: wire.ring.joinPoint(behind: settings.burst), wire, now) { drop(listener) }
    }

    /// After a gap one who has heard all before it goes on at the live edge, not with all that the new connection began
    /// with.
    private func rejoin(_ listener: Listener, _ wire: Wire, _ now: MonotonicInstant) {
        let target = wire.ring.joinPoint(behind: settings.burst)
        guard target > listener.place.cursor else { return }
        let audio = wire.ring.lag(of: listener.place.cursor) - wire.ring.lag(of: target)
        let header = wire.header(at: target, comingFrom: listener.place.cursor)
        listener.place.begin(at: target, header)
        listener.shiftCushion(by: .zero - audio)
    }

    private func move(_ listener: Listener, to target: RingCursor, _ wire: Wire, _ now: MonotonicInstant) -> Bool {
        let cursor = listener.place.cursor
        return listener.skip(
            to: target, header: wire.header(at: target, comingFrom: cursor),
            leavingOut: wire.ring.lag(of: cursor) - wire.ring.lag(of: target), wire.ring, now: now, settings)
    }
}

// MARK: - Outages

extension Mount {
    /// A player whose audio is about to run out is kept with silence.
    private static let leastCushion = Duration.seconds(1)

    /// The station has been away for longer than listeners are kept.
    var isAwayForGood: Bool {
        let now = reactor.now
        guard outage.isAway(now) else { return false }
        let silence = outage.silence(now)
        guard silence > settings.longestSilence else { return false }
        return silence > settings.longestOutage || comfortOfOutage == nil
    }

    private var comfortOfOutage: Comfort? {
        if comfort == nil, let ring = wire?.ring { comfort = Comfort(after: ring) }
        return comfort
    }

    private func consoleIfDue(_ listener: Listener, _ wire: Wire, _ now: MonotonicInstant) {
        guard !isOver, listener.place.isCaughtUp(with: wire.ring),
            listener.cushion(wire.mediaTime, now) < Self.leastCushion, let comfort = comfortOfOutage
        else { return }
        let units = comfort.units(lasting: listener.seat?.interval ?? settings.flushInterval)
        listener.place.comfort(with: comfort, units: units)
        listener.shiftCushion(by: comfort.unitDuration * units)
    }

    private func endComfort(of listener: Listener) {
        let saved = listener.place.endComfort()
        if saved > .zero { listener.shiftCushion(by: .zero - saved) }
    }
}

// SPDX-License-Identifier: MIT

import EventLoop
import HTTPServer
import Instants
import RadioCore

// Who is sent what, and when.
extension Mount {
    /// Work of one turn of the loop at most, so that nobody else on it waits for long.
    static let slice = Duration.milliseconds(5)

    /// A listener's turn.
    func visit(_ listener: Listener) {
        let now = reactor.now
        guard !listener.isDead(now, settings), !isAwayForGood(listener.wire, for: listener.kind) else {
            return drop(listener)
        }
        // A socket that is full says when it takes more.
        goOn(listener, now, isWritable: !listener.isBlocked)
    }

    /// The listener's socket has become ready.
    func isReady(_ listener: Listener, for readiness: Readiness) {
        if readiness.contains(.read), !listener.drainInput() { return drop(listener) }
        if readiness.contains(.write) { goOn(listener, reactor.now, isWritable: true) }
    }

    /// Sees to what a listener gets next, and sends all that there is of it where its socket may take it.
    private func goOn(_ listener: Listener, _ now: MonotonicInstant, isWritable: Bool) {
        guard changeOver(listener, now) else { return drop(listener) }
        let wire = listener.wire
        if wire.outage.isAway(now) {
            if listener.kind == .player { comfortIfDue(listener, now) }
        } else {
            endComfort(of: listener)
            // Before anything else: a player that waits at the edge of a gap may have been overrun by what came
            // behind it.
            if listener.place.cursor == wire.lastBreak, listener.kind == .player { rejoin(listener) }
            lengthenInterval(of: listener, now)
        }
        guard listener.endAtGap() else { return drop(listener) }
        if listener.isBlocked || wire.ring.isOverrun(listener.place.cursor) {
            if isTooFarBehind(listener, now), !skip(listener, now) { return drop(listener) }
        }
        if isWritable { send(listener, now) }
    }

    /// A listener that has got more of a cushion since it joined, as when it was the first and the station's burst came
    /// behind it, need not be seen to as often as then.
    private func lengthenInterval(of listener: Listener, _ now: MonotonicInstant) {
        guard let seat = listener.seat, seat.interval < settings.flushInterval else { return }
        let wire = listener.wire
        // What it has before it gets what has come since its last turn: that audio is there even when the station is
        // late.
        let cushion = listener.cushion(wire.mediaTime, now) - wire.ring.lag(of: listener.place.cursor)
        let level = level(forCushion: cushion)
        guard level > Int(seat.level) else { return }
        turns.move(listener, to: level)
    }

    /// How often a listener has its turn that has `cushion` of audio in hand.
    func level(forCushion cushion: Duration) -> Int {
        FlushTicks.level(for: min(settings.flushInterval, cushion / 4))
    }

    /// The last that a listener gets: what its socket takes at once.
    func sendRest(to listener: Listener) {
        send(listener, reactor.now)
        drop(listener)
    }

    private func send(_ listener: Listener, _ now: MonotonicInstant) {
        switch listener.flush(now: now) {
        case .behind: break
        case .caughtUp: if listener.wire.hasEnded { drop(listener) }
        case .over, .broken: drop(listener)
        }
    }
}

// MARK: - Slow listeners

extension Mount {
    /// Whether a listener is too slow, or the ring's tail has overtaken it. Who is behind because much came at once has
    /// as long to take it as anybody.
    private func isTooFarBehind(_ listener: Listener, _ now: MonotonicInstant) -> Bool {
        let ring = listener.wire.ring
        let cursor = listener.place.cursor
        guard ring.liveEdge.slab - cursor.slab > 1 else { return false }
        if ring.isOverrun(cursor) { return true }
        return listener.timeBehind(now) > settings.mostLag && ring.lag(of: cursor) > settings.mostLag
    }

    /// A listener that is too slow goes on at the newest join point. False where the listener is
    /// not worth keeping.
    private func skip(_ listener: Listener, _ now: MonotonicInstant) -> Bool {
        let ring = listener.wire.ring
        let target = ring.joinPoint(behind: settings.burst)
        return listener.skip(
            to: target, leavingOut: ring.lag(of: listener.place.cursor) - ring.lag(of: target), ring, now: now, settings
        )
    }
}

// SPDX-License-Identifier: MIT

import EventLoop
import Instants
import RadioCore

// Decides what is sent to each listener, and when.
extension Mount {
    /// The maximum work per turn of the loop, so that nothing else on it is delayed for long.
    static let slice = Duration.milliseconds(5)

    /// Serves a listener that is due.
    func visit(_ listener: Listener) {
        let now = reactor.now
        guard !listener.isDead(now, settings), !isAwayForGood(listener.stream, for: listener.kind) else {
            return drop(listener)
        }
        // Nothing is written to a full socket, which reports when it is writable again.
        proceed(listener, now, isWritable: !listener.isBlocked)
    }

    /// Handles the readiness of the listener's socket.
    func isReady(_ listener: Listener, for readiness: Readiness) {
        if readiness.contains(.read), !listener.drainInput() { return drop(listener) }
        if readiness.contains(.write) { proceed(listener, reactor.now, isWritable: true) }
    }

    /// Decides what the listener gets next, and sends what is available if the socket is writable.
    private func proceed(_ listener: Listener, _ now: MonotonicInstant, isWritable: Bool) {
        guard changeOver(listener, now) else { return drop(listener) }
        let stream = listener.stream
        if stream.outage.isAway(now) {
            if listener.kind == .player { comfortIfDue(listener, now) }
        } else {
            endComfort(of: listener)
            // This must precede the check for overruns: the audio after a gap may overrun a player that waits at the
            // gap.
            if listener.place.cursor == stream.lastBreak, listener.kind == .player { rejoin(listener) }
            lengthenInterval(of: listener, now)
        }
        guard listener.endAtGap() else { return drop(listener) }
        if listener.isBlocked || stream.ring.isOverrun(listener.place.cursor) {
            if isTooFarBehind(listener, now), !skip(listener, now) { return drop(listener) }
        }
        if isWritable { send(listener, now) }
    }

    /// Extends the interval of a listener whose cushion has grown since it joined, for example because it was the first
    /// listener and the station's burst followed.
    private func lengthenInterval(of listener: Listener, _ now: MonotonicInstant) {
        guard let seat = listener.seat, seat.interval < settings.flushInterval else { return }
        let stream = listener.stream
        // Audio buffered at the client, without what has arrived at the ring since the listener's last turn. The client
        // has this much even if the station is late.
        let cushion = listener.cushion(stream.mediaTime, now) - stream.ring.lag(of: listener.place.cursor)
        let level = level(forCushion: cushion)
        guard level > Int(seat.level) else { return }
        turns.move(listener, to: level)
    }

    /// The flush level for a listener with this cushion.
    func level(forCushion cushion: Duration) -> Int {
        FlushTicks.level(for: min(settings.flushInterval, cushion / 4))
    }

    /// Sends as much as the socket accepts immediately, and closes the listener.
    func sendRest(to listener: Listener) {
        send(listener, reactor.now)
        drop(listener)
    }

    private func send(_ listener: Listener, _ now: MonotonicInstant) {
        switch listener.flush(now: now) {
        case .behind: break
        case .caughtUp: if listener.stream.hasEnded { drop(listener) }
        case .over, .broken: drop(listener)
        }
    }
}

// MARK: - Slow listeners

extension Mount {
    /// Whether a listener is too slow, or the ring's tail has overtaken it. A listener that is behind only because much
    /// audio arrived at once has as much time as any other.
    private func isTooFarBehind(_ listener: Listener, _ now: MonotonicInstant) -> Bool {
        let ring = listener.stream.ring
        let cursor = listener.place.cursor
        guard ring.liveEdge.slab - cursor.slab > 1 else { return false }
        if ring.isOverrun(cursor) { return true }
        let most = listener.mostLag(settings)
        return listener.timeBehind(now) > most && ring.lag(of: cursor) > most
    }

    /// Moves a listener that is too slow to the newest join point. Returns false if the listener should be closed.
    private func skip(_ listener: Listener, _ now: MonotonicInstant) -> Bool {
        let ring = listener.stream.ring
        let target = ring.joinPoint(behind: settings.burst(listener.stream.lumps))
        return listener.skip(
            to: target, leavingOut: ring.lag(of: listener.place.cursor) - ring.lag(of: target), ring, now: now, settings
        )
    }
}

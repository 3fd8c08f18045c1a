// SPDX-License-Identifier: MIT

import EventLoop
import Instants
import RadioCore

/// The silence of an outage, made when it is first needed.
enum OutageComfort {
    case unknown
    /// The format has none.
    case none
    case silence(Comfort)
}

// What listeners get while the station is away, and where they go on.
extension Mount {
    /// A player whose audio is about to run out is kept with silence.
    private static let leastCushion = Duration.seconds(1)

    /// Whether a programme has been away for longer than listeners of this kind are kept.
    func isAwayForGood(_ wire: Wire, for kind: ListenerKind) -> Bool {
        let now = reactor.now
        guard wire.outage.isAway(now) else { return false }
        let silence = wire.outage.silence(now)
        if silence > settings.longestOutage { return true }
        // Others have said that they can do without.
        return silence > settings.longestSilence && kind == .player && wire.comfort == nil
    }

    /// Whether a listener has been sent all that there is, and will soon have nothing to play.
    func isRunningDry(_ listener: Listener, _ now: MonotonicInstant) -> Bool {
        let wire = listener.wire
        return listener.place.isCaughtUp(with: wire.ring)
            && listener.cushion(wire.mediaTime, now) < Self.leastCushion
    }

    /// Sends silence to a listener that would soon have nothing to play.
    func comfortIfDue(_ listener: Listener, _ now: MonotonicInstant) {
        let wire = listener.wire
        guard !wire.hasEnded, isRunningDry(listener, now), let comfort = wire.comfort else { return }
        let units = comfort.units(lasting: listener.seat?.interval ?? settings.flushInterval)
        listener.place.comfort(with: comfort, units: units)
        listener.shiftCushion(by: comfort.unitDuration * units)
    }

    func endComfort(of listener: Listener) {
        let saved = listener.place.endComfort()
        if saved > .zero { listener.shiftCushion(by: .zero - saved) }
    }

    /// After a gap a player that has heard all before it goes on at the live edge, not with all that the new connection
    /// began with: it was sent silence instead. One that gets no filler may record, and nothing is left out for it.
    func rejoin(_ listener: Listener) {
        let wire = listener.wire
        let ring = wire.ring
        let target = ring.joinPoint(behind: settings.burst)
        let cursor = listener.place.cursor
        guard !wire.hasEnded, target > cursor else { return }
        let audio = ring.lag(of: cursor) - ring.lag(of: target)
        listener.place.begin(at: target, wire.header(at: target, comingFrom: cursor))
        listener.shiftCushion(by: .zero - audio)
    }
}

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

    /// The station has been away for longer than listeners are kept.
    var isAwayForGood: Bool {
        let now = reactor.now
        guard outage.isAway(now) else { return false }
        let silence = outage.silence(now)
        return silence > settings.longestOutage || (silence > settings.longestSilence && comfortOfOutage == nil)
    }

    private var comfortOfOutage: Comfort? {
        if case .unknown = comfort {
            comfort = wire.flatMap { Comfort(after: $0.ring) }.map { .silence($0) } ?? .none
        }
        if case .silence(let silence) = comfort { return silence }
        return nil
    }

    /// Sends silence to one who has heard all that there is, and who would soon have nothing to play.
    func comfortIfDue(_ listener: Listener, _ wire: Wire, _ now: MonotonicInstant) {
        guard !hasEnded, !wire.hasLeft(listener.place.codec), listener.place.isCaughtUp(with: wire.ring),
            listener.cushion(wire.mediaTime, now) < Self.leastCushion, let comfort = comfortOfOutage
        else { return }
        let units = comfort.units(lasting: listener.seat?.interval ?? settings.flushInterval)
        listener.place.comfort(with: comfort, units: units)
        listener.shiftCushion(by: comfort.unitDuration * units)
    }

    func endComfort(of listener: Listener) {
        let saved = listener.place.endComfort()
        if saved > .zero { listener.shiftCushion(by: .zero - saved) }
    }

    /// After a gap one who has heard all before it goes on at the live edge, not with all that the new connection began
    /// with.
    func rejoin(_ listener: Listener, _ wire: Wire) {
        guard !wire.hasLeft(listener.place.codec) else { return }
        let target = wire.ring.joinPoint(behind: settings.burst)
        let cursor = listener.place.cursor
        guard target > cursor else { return }
        let audio = wire.ring.lag(of: cursor) - wire.ring.lag(of: target)
        listener.place.begin(at: target, wire.header(at: target, comingFrom: cursor, of: listener.place.codec))
        listener.shiftCushion(by: .zero - audio)
    }
}

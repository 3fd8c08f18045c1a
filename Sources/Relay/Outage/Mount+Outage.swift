// SPDX-License-Identifier: MIT

import EventLoop
import Instants
import RadioCore

/// The silence of an outage, made on first use.
enum OutageComfort {
    case unknown
    /// The format has no silent frames.
    case none
    case silence(Comfort)
}

// Decides what listeners get while the station is unavailable, and where they resume.
extension Mount {
    /// A player with a smaller cushion than this is sent silence.
    private static let leastCushion = Duration.seconds(1)

    /// Whether a programme has been unavailable for longer than listeners of this kind are kept.
    func isAwayForGood(_ stream: ListenerStream, for kind: ListenerKind) -> Bool {
        let now = reactor.now
        guard stream.outage.isAway(now) else { return false }
        let silence = stream.outage.silence(now)
        if silence > settings.longestOutage { return true }
        // Only players get filler, so only for them the lack of silent frames means that nothing is sent.
        return silence > settings.longestSilence && kind == .player && stream.comfort == nil
    }

    /// Whether a listener has been sent everything available, and will soon run dry.
    func isRunningDry(_ listener: Listener, _ now: MonotonicInstant) -> Bool {
        let stream = listener.stream
        return listener.place.isCaughtUp(with: stream.ring)
            && listener.cushion(stream.mediaTime, now) < Self.leastCushion
    }

    /// Sends silence to a listener that would soon run dry.
    func comfortIfDue(_ listener: Listener, _ now: MonotonicInstant) {
        let stream = listener.stream
        guard !stream.hasEnded, isRunningDry(listener, now), let comfort = stream.comfort else { return }
        let units = comfort.units(lasting: listener.seat?.interval ?? settings.flushInterval)
        listener.place.comfort(with: comfort, units: units)
        listener.shiftCushion(by: comfort.unitDuration * units)
    }

    func endComfort(of listener: Listener) {
        let saved = listener.place.endComfort()
        if saved > .zero { listener.shiftCushion(by: .zero - saved) }
    }

    /// Moves a player at the edge of a gap to the live edge: it was sent silence instead of the audio with which the
    /// new connection began. Listeners without filler may be recording, and must not skip anything.
    func rejoin(_ listener: Listener) {
        let stream = listener.stream
        let ring = stream.ring
        let target = ring.joinPoint(behind: settings.burst(stream.lumps))
        let cursor = listener.place.cursor
        guard !stream.hasEnded, target > cursor else { return }
        let audio = ring.lag(of: cursor) - ring.lag(of: target)
        listener.place.begin(at: target, stream.header(at: target, comingFrom: cursor))
        listener.shiftCushion(by: .zero - audio)
    }
}

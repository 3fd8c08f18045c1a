// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import RadioFormats

// Who hears the fallback, from when, and until when: decided at each player's own turn.
extension Mount {
    /// Takes a player to the fallback where its station is away and it would soon have nothing to play, and back where
    /// the station is on the air again: between two frames. False where it can go on nowhere.
    func changeOver(_ listener: Listener, _ now: MonotonicInstant) -> Bool {
        guard let fallback, listener.kind == .player else { return true }
        if let home = listener.home { return comeBack(listener, home, now) }
        let wire = listener.wire
        guard !wire.hasEnded, wire.outage.isAway(now) else { return true }
        // Early enough for it to have audio in time.
        fallback.want()
        guard isRunningDry(listener, now), let other = fallback.wire(for: listener.place.codec) else { return true }
        let home = Home((wire, listener.place.cursor))
        guard move(listener, to: other, other.ring.joinPoint(behind: settings.burst)) else { return false }
        listener.home = home
        return true
    }

    private func comeBack(_ listener: Listener, _ home: Home, _ now: MonotonicInstant) -> Bool {
        let place = home.place.flatMap { $0.wire === station?.wire ? $0 : nil }
        guard let wire = station?.wire, wire.hasAudio, !wire.outage.isAway(now) else {
            guard listener.wire.hasEnded else { return true }
            // The fallback is over. What is left is to wait for the station.
            guard let place, !place.wire.hasEnded else { return false }
            return goHome(listener, place.wire, place.cursor)
        }
        // Where the station was left, the next frame is the one that was to come.
        if let place, !wire.ring.isOverrun(place.cursor) { return goHome(listener, wire, place.cursor) }
        guard wire.format?.codec == listener.place.codec else { return false }
        return goHome(listener, wire, wire.ring.joinPoint(behind: settings.burst))
    }

    private func goHome(_ listener: Listener, _ wire: Wire, _ cursor: RingCursor) -> Bool {
        listener.home = nil
        return move(listener, to: wire, cursor)
    }

    /// False where the rest of the frame that is half sent is gone.
    private func move(_ listener: Listener, to wire: Wire, _ cursor: RingCursor) -> Bool {
        listener.wire.listenerCount -= 1
        defer { listener.wire.listenerCount += 1 }
        return listener.change(to: wire, at: cursor)
    }
}

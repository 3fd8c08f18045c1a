// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import RadioFormats

// Decides on each player's turn whether it switches to the fallback, or back.
extension Mount {
    /// Switches a player that would soon run dry to the fallback while its station is unavailable, and back once the
    /// station is on the air again, always between frames. Returns false if the player cannot continue anywhere.
    func changeOver(_ listener: Listener, _ now: MonotonicInstant) -> Bool {
        guard let fallback, listener.kind == .player else { return true }
        if let home = listener.home { return comeBack(listener, home, now) }
        let wire = listener.wire
        guard !wire.hasEnded, wire.outage.isAway(now) else { return true }
        // Request the fallback before the player runs dry, so that it has audio in time.
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
            // The fallback has ended. The player can only wait for the station.
            guard let place, !place.wire.hasEnded else { return false }
            return goHome(listener, place.wire, place.cursor)
        }
        // The frame at this cursor directly follows the last frame of the station that the player was sent.
        if let place, !wire.ring.isOverrun(place.cursor) { return goHome(listener, wire, place.cursor) }
        guard wire.format?.codec == listener.place.codec else { return false }
        return goHome(listener, wire, wire.ring.joinPoint(behind: settings.burst))
    }

    private func goHome(_ listener: Listener, _ wire: Wire, _ cursor: RingCursor) -> Bool {
        listener.home = nil
        return move(listener, to: wire, cursor)
    }

    /// Returns false if the ring no longer has the rest of a frame that is half sent.
    private func move(_ listener: Listener, to wire: Wire, _ cursor: RingCursor) -> Bool {
        listener.wire.listenerCount -= 1
        defer { listener.wire.listenerCount += 1 }
        return listener.change(to: wire, at: cursor)
    }
}

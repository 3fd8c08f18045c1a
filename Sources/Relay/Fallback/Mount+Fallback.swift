// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import RadioFormats

// Decides on each player's turn whether it switches to the fallback, or back.
extension Mount {
    /// Moves a player to the fallback if its station is unavailable and the player would soon run dry. Moves it back
    /// once the station is on the air again. Switches only between frames. Returns false if the player cannot continue
    /// anywhere.
    func changeOver(_ listener: Listener, _ now: MonotonicInstant) -> Bool {
        guard let fallback, listener.kind == .player else { return true }
        if let home = listener.home { return comeBack(listener, home, now) }
        let stream = listener.stream
        guard !stream.hasEnded, stream.outage.isAway(now) else { return true }
        // Request the fallback before the player runs dry, so that it has audio in time.
        fallback.want()
        guard isRunningDry(listener, now), let other = fallback.stream(for: listener.place.kind) else { return true }
        let home = Home((stream, listener.place.cursor))
        guard move(listener, to: other, other.ring.joinPoint(behind: settings.burst)) else { return false }
        listener.home = home
        return true
    }

    private func comeBack(_ listener: Listener, _ home: Home, _ now: MonotonicInstant) -> Bool {
        let place = home.place.flatMap { $0.stream === sink?.stream ? $0 : nil }
        guard let stream = sink?.stream, stream.hasAudio, !stream.outage.isAway(now) else {
            guard listener.stream.hasEnded else { return true }
            // The fallback has ended. The player can only wait for the station.
            guard let place, !place.stream.hasEnded else { return false }
            return goHome(listener, place.stream, place.cursor)
        }
        // The frame at this cursor directly follows the last frame of the station that the player was sent.
        if let place, !stream.ring.isOverrun(place.cursor) { return goHome(listener, stream, place.cursor) }
        guard stream.format?.kind == listener.place.kind else { return false }
        return goHome(listener, stream, stream.ring.joinPoint(behind: settings.burst(stream.lumps)))
    }

    private func goHome(_ listener: Listener, _ stream: ListenerStream, _ cursor: RingCursor) -> Bool {
        listener.home = nil
        return move(listener, to: stream, cursor)
    }

    /// Moves a player to another output stream. Returns false if the ring no longer has the rest of a frame that is
    /// half sent.
    private func move(_ listener: Listener, to stream: ListenerStream, _ cursor: RingCursor) -> Bool {
        listener.stream.listenerCount -= 1
        defer { listener.stream.listenerCount += 1 }
        return listener.change(to: stream, at: cursor)
    }
}

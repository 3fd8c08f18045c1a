// SPDX-License-Identifier: MIT

package import Instants
package import RadioCore

/// A player at a glance.
package struct PlayerSnapshot: Hashable, Sendable {
    package var status = PlaybackStatus()
    /// How much has been heard.
    package var heard = Duration.zero
    /// How much audio lies between what is heard and the live edge.
    package var behind = Duration.zero
    /// How far what is heard is into its item, where that has an end.
    package var position: Duration?
    /// Of that item; nil where nobody knows.
    package var length: Duration?
    /// The title of what is heard.
    package var title: String?
    package var loudness: Loudness?
    package var format: PCMFormat?
    /// How loud the sound server plays it; nil until that is known.
    package var volume: Double?
    package var isMuted = false
    /// How long it waits before it begins; nil where it does not.
    package var beginsIn: Duration?
    /// The device that it is played on; nil until it is moved.
    package var device: String?
    /// How much faster than its own rate it is played, in parts per million.
    package var correction = 0.0
    /// How often audio ran out.
    package var underruns = 0
    /// Frames that could not be decoded.
    package var damagedFrames = 0

    package init() {}
}

/// What a player tells, in order.
package enum PlayerEvent: Hashable, Sendable {
    case status(PlaybackStatus)
    /// The title of what is heard from now on; "" where it has none.
    case title(String)
    /// It is played on another device from now on.
    case moved(device: String)
    /// It waits for the instant at which it is to begin, for so long.
    case begins(at: WallInstant, in: Duration)
    /// It has waited for audio for a while, and still does; whether anything has been heard before.
    case buffering(RebufferCause, isFirst: Bool)
    /// The programme is over, and so much of it is still to be heard.
    case remaining(Duration)
}

// SPDX-License-Identifier: MIT

package import Instants
package import RadioCore

/// The state of a player at one moment.
package struct PlayerSnapshot: Hashable, Sendable {
    package var status = PlaybackStatus()
    /// How much audio has been heard in all.
    package var heard = Duration.zero
    /// How much audio lies between what is heard and the live edge.
    package var behind = Duration.zero
    /// The position in the item being heard; nil unless the item is finite.
    package var position: Duration?
    /// The length of that item; nil if unknown.
    package var length: Duration?
    /// The title of the audio being heard.
    package var title: String?
    package var loudness: Loudness?
    package var format: PCMFormat?
    /// The volume that the sound server applies; nil until that is known.
    package var volume: Double?
    package var isMuted = false
    /// The time left until a scheduled start; nil if there is none.
    package var beginsIn: Duration?
    /// The output device; nil until the server has moved the stream.
    package var device: String?
    /// How much faster than its own rate the audio is played, in parts per million.
    package var correction = 0.0
    /// How often audio ran out.
    package var underruns = 0
    /// How much audio could not be played, because a pause was longer than audio is kept.
    package var skipped = Duration.zero
    /// Frames that could not be decoded.
    package var damagedFrames = 0

    package init() {}
}

/// An event that a player reports, in order.
package enum PlayerEvent: Hashable, Sendable {
    case status(PlaybackStatus)
    /// The title of the audio heard from now on; "" if it has none.
    case title(String)
    /// The audio is played on another device from now on.
    case moved(device: String)
    /// The player waits for its scheduled start at the instant `at`, for the time `in`.
    case begins(at: WallInstant, in: Duration)
    /// The player has been waiting for audio for a while; `isFirst` if nothing has been heard before.
    case buffering(RebufferCause, isFirst: Bool)
    /// The programme has ended, and this much audio is still to be heard.
    case remaining(Duration)
}

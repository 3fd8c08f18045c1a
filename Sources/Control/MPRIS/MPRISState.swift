// SPDX-License-Identifier: MIT

package import Instants

/// The state of the player as shown on the desktop. It is published again whenever it changes.
package struct MPRISState: Hashable, Sendable {
    package enum Status: String, Sendable {
        case playing = "Playing"
        case paused = "Paused"
        case stopped = "Stopped"
    }

    package enum Loop: String, Sendable {
        case off = "None"
        case track = "Track"
        case queue = "Playlist"
    }

    /// Playback modes that only a queue has.
    package struct Queue: Hashable, Sendable {
        package var loop: Loop
        package var isShuffled: Bool

        package init(loop: Loop = .off, isShuffled: Bool = false) {
            self.loop = loop
            self.isShuffled = isShuffled
        }
    }

    package var status: Status = .stopped
    /// The title line as the station sent it, with any artist in front.
    package var title: String?
    package var station: String?
    /// The URL. Any user name and password in it are redacted when it is published.
    package var url: String?
    /// The length of the track; nil for a live stream.
    package var length: Duration?
    package var position = MPRISPosition()
    /// From 0 to 1.
    package var volume = 1.0
    package var canGoNext = false
    package var canGoPrevious = false
    package var canPlay = true
    package var canPause = true
    package var canSeek = false
    package var queue: Queue?

    package init() {}

    /// Whether a widget would show this state and `other` as different tracks.
    package func isOtherTrack(than other: MPRISState) -> Bool {
        (title, station, url) != (other.title, other.station, other.url)
    }

    /// The playback position, limited to the length.
    package func position(at now: MonotonicInstant) -> Duration {
        let position = max(.zero, position.value(at: now))
        return length.map { min(position, max(.zero, $0)) } ?? position
    }

    /// Whether the position differs from what a client would extrapolate from `former`. For a new track, clients expect
    /// position zero.
    package func hasJumped(since former: MPRISState, at now: MonotonicInstant) -> Bool {
        let expected = isOtherTrack(than: former) ? .zero : former.position(at: now)
        let distance = position(at: now) - expected
        return distance > Self.jump || distance < .zero - Self.jump
    }

    /// The difference beyond which the position has jumped. Clocks and buffers cause smaller differences.
    private static let jump = Duration.seconds(1)
}

// SPDX-License-Identifier: MIT

package import Instants

/// What a desktop is shown of a player: a value that is told anew whenever something has changed.
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

    /// What only a queue has.
    package struct Queue: Hashable, Sendable {
        package var loop: Loop
        package var isShuffled: Bool

        package init(loop: Loop = .off, isShuffled: Bool = false) {
            self.loop = loop
            self.isShuffled = isShuffled
        }
    }

    package var status: Status = .stopped
    /// The line as the station sent it, with the artist in front where it has one.
    package var title: String?
    package var station: String?
    /// Name and password in it are not shown.
    package var url: String?
    /// Of what has an end.
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

    /// Whether a widget shows another track than before.
    package func isOtherTrack(than other: MPRISState) -> Bool {
        (title, station, url) != (other.title, other.station, other.url)
    }

    /// Where the player is.
    package func position(at now: MonotonicInstant) -> Duration {
        let position = max(.zero, position.value(at: now))
        return length.map { min(position, max(.zero, $0)) } ?? position
    }

    /// Whether the position is another one than whoever knew the former state would count on. For a new track that is
    /// its beginning.
    package func hasJumped(since former: MPRISState, at now: MonotonicInstant) -> Bool {
        let expected = isOtherTrack(than: former) ? .zero : former.position(at: now)
        let distance = position(at: now) - expected
        return distance > Self.jump || distance < .zero - Self.jump
    }

    /// Less is what clocks and buffers make of it.
    private static let jump = Duration.seconds(1)
}

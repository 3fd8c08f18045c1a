// SPDX-License-Identifier: MIT

package import RadioCore

/// What somebody wants of a player: a key, a button, a command.
package enum PlayRequest: Hashable, Sendable {
    case pause
    case resume
    /// Pauses, or goes on.
    case togglePause
    /// Back to what is on air now.
    case liveEdge
    /// Forward, or back where it is negative, within what is kept.
    case seek(Duration)
    /// From 0 to 1 and beyond.
    case volume(Double)
    case changeVolume(Double)
    case toggleMute
    /// To a position in what has an end.
    case position(Duration)

    // Of a queue.
    case next
    case previous
    case setRepeat(QueueRepeat)
    /// None, one, all, and from the beginning.
    case changeRepeat
    case setShuffle(Bool)
    case toggleShuffle
}

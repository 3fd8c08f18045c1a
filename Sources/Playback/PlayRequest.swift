// SPDX-License-Identifier: MIT

/// A user's request to a player: a key, a button, a command.
package enum PlayRequest: Hashable, Sendable {
    case pause
    case resume
    /// Pauses, or resumes.
    case togglePause
    /// Jumps to what is on air now.
    case liveEdge
    /// Seeks forward, or back if negative, within the audio kept.
    case seek(Duration)
    /// Sets the volume: 0 is silent, 1 is full, and more is possible.
    case volume(Double)
    case changeVolume(Double)
    case toggleMute
    /// Seeks to a position in a finite item.
    case position(Duration)

    // Plays the next item. Only for queues.
    case next
    case previous
    case setRepeat(QueueRepeat)
    /// Changes what a queue repeats: none, one and all, in turn.
    case changeRepeat
    case setShuffle(Bool)
    case toggleShuffle
}

// SPDX-License-Identifier: MIT

/// What a listener wants of the player.
enum KeyCommand: Hashable, Sendable {
    case togglePause
    case goLive
    /// Forward, or backward.
    case seek(by: Duration)
    /// A part of the full volume to add.
    case changeVolume(by: Double)
    case toggleMute
    case next
    case previous
    case changeRepeat
    case toggleShuffle
    case showHelp
    case quit
    /// The terminal was somebody else's meanwhile: the live line is to be written anew.
    case redraw
}

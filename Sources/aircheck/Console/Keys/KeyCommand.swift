// SPDX-License-Identifier: MIT

/// A player command bound to a key.
enum KeyCommand: Hashable, Sendable {
    case togglePause
    case goLive
    /// Negative seeks backward.
    case seek(by: Duration)
    /// A fraction of full volume to add.
    case changeVolume(by: Double)
    case toggleMute
    case next
    case previous
    case changeRepeat
    case toggleShuffle
    case showHelp
    case quit
    /// Write the live line again: another program has used the terminal.
    case redraw
}

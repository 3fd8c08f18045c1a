// SPDX-License-Identifier: MIT

/// A player command bound to a key.
enum KeyCommand: Hashable, Sendable {
    case togglePause
    case goLive
    /// Seek by a duration; backward if it is negative.
    case seek(by: Duration)
    /// Change the volume by this fraction of full volume.
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

// SPDX-License-Identifier: MIT

/// What somebody wants of the player, by a media key or in a widget.
package enum MPRISRequest: Hashable, Sendable {
    case play
    case pause
    case playPause
    case stop
    case next
    case previous
    /// Forward, or backward.
    case seek(by: Duration)
    case setPosition(Duration)
    /// From 0 to 1.
    case setVolume(Double)
    case setLoop(MPRISState.Loop)
    case setShuffle(Bool)
    case quit
}

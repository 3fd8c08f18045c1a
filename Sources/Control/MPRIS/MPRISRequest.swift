// SPDX-License-Identifier: MIT

/// A request from a media key or a widget.
package enum MPRISRequest: Hashable, Sendable {
    case play
    case pause
    case playPause
    case stop
    case next
    case previous
    /// Negative seeks backward.
    case seek(by: Duration)
    case setPosition(Duration)
    /// From 0 to 1.
    case setVolume(Double)
    case setLoop(MPRISState.Loop)
    case setShuffle(Bool)
    case quit
}

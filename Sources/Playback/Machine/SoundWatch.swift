// SPDX-License-Identifier: MIT

package import RadioCore

/// Reports when a player loses its sound, and when the sound is back.
///
/// When a sound server goes down, several failures follow each other. Only the first of them is reported.
package struct SoundWatch: Sendable {
    package enum Change: Hashable, Sendable {
        case lost(Failure)
        case back
    }

    private var isSilent = false

    package init() {}

    /// Compares a new status of the player with the one before. Returns what has changed about the sound; nil if
    /// nothing has.
    package mutating func note(_ status: PlaybackStatus) -> Change? {
        if isSilent, status.error == nil, status.state == .playing {
            isSilent = false
            return .back
        }
        guard !isSilent, let failure = status.lossOfSound else { return nil }
        isSilent = true
        return .lost(failure)
    }
}

extension PlaybackStatus {
    /// Why there is no sound although the player is still running; nil if there is sound, or if something else is
    /// wrong.
    package var lossOfSound: Failure? {
        guard let error else { return nil }
        return switch state {
        case .opening: error.stage == .output ? error.failure : nil
        case .rebuffering(.outputLost): error.failure
        case .idle, .prebuffering, .playing, .rebuffering, .paused, .draining, .stopping, .stopped: nil
        }
    }
}

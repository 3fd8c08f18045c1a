// SPDX-License-Identifier: MIT

package import RadioCore

/// What a player is doing. Why it stopped, and what went wrong, are values of their own: see ``PlaybackStatus``.
package enum PlaybackState: Hashable, Sendable {
    /// Nothing has been requested yet.
    case idle
    /// The player waits for the programme's first audio, or for a sound server.
    case opening
    /// There is audio, but not enough to start.
    case prebuffering
    case playing
    /// The player has played, and waits for audio or for the sound server.
    case rebuffering(RebufferCause)
    /// The user has paused the player, or the sound server asks for silence (``PlaybackStatus/isHeld``). Audio is still
    /// being received.
    case paused
    /// The programme has ended, and its last audio is being heard.
    case draining
    /// A stop was requested, and the sound fades.
    case stopping
    case stopped
}

/// Why a player that has played waits.
package enum RebufferCause: Hashable, Sendable {
    /// Audio arrives more slowly than it plays.
    case slow
    /// The connection is open and delivers nothing.
    case stalled
    /// All of a file that is still being written has been played.
    case growing
    /// The connection is lost, and another one is being tried.
    case reconnecting
    /// The sound server, or its device, is gone.
    case outputLost
}

/// Why a player stopped, or is about to.
package enum PlaybackStopReason: Hashable, Sendable {
    /// The player has not stopped.
    case none
    /// The programme has ended, and all of it was heard.
    case endOfStream
    /// The user stopped the player.
    case user
    /// An error stopped the player: see ``PlaybackStatus/error``.
    case error
    /// The player makes room for what is played next: another station, another place in a file.
    case temporary
}

/// What went wrong in a player, and where.
package struct PlaybackError: Error, Hashable, Sendable {
    package enum Stage: Hashable, Sendable {
        /// The programme: a station or a file.
        case programme
        case decoding
        case output
    }

    package var stage: Stage
    package var failure: Failure

    package init(_ stage: Stage, _ failure: Failure) {
        self.stage = stage
        self.failure = failure
    }
}

/// State, stop reason and error of a player: three values that change independently.
package struct PlaybackStatus: Hashable, Sendable {
    package var state = PlaybackState.idle
    package var stopReason = PlaybackStopReason.none
    /// What is wrong now, or what stopped the player; nil if nothing is wrong.
    package var error: PlaybackError?
    /// Whether the sound server asks for silence, for example during a telephone call.
    package var isHeld = false

    /// Why a stopped player did not end as the user wanted; nil if it did. A stop by the user is not a failure, even
    /// while there is no sound.
    package var failureAtEnd: Failure? { stopReason == .user ? nil : error?.failure }
}

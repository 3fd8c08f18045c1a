// SPDX-License-Identifier: MIT

/// What a player is doing. Why it stopped, and what went wrong, are values of their own: see ``PlaybackStatus``.
package enum PlaybackState: Hashable, Sendable {
    /// Nothing was asked for yet.
    case idle
    /// The programme's first audio is awaited, or a sound server.
    case opening
    /// There is audio, but not enough to begin with.
    case prebuffering
    case playing
    /// It has played, and waits for audio or for the sound server.
    case rebuffering(RebufferCause)
    /// The user wants silence, or the sound server does (``PlaybackStatus/isHeld``). Audio goes on being received.
    case paused
    /// The programme is over, and its last audio is being heard.
    case draining
    /// The end was asked for, and the sound fades.
    case stopping
    case stopped
}

/// Why a player that has played waits.
package enum RebufferCause: Hashable, Sendable {
    /// Audio comes more slowly than it plays.
    case slow
    /// The connection is open and brings nothing.
    case stalled
    /// The connection is lost, and another one is tried.
    case reconnecting
    /// The sound server, or its device, is away.
    case outputLost
}

/// Why a player stopped, or is about to.
package enum StopReason: Hashable, Sendable {
    /// It has not.
    case none
    /// The programme is over, and all of it was heard.
    case endOfStream
    /// Somebody wanted it.
    case user
    /// What went wrong stands beside it.
    case error
    /// It makes room for what is played next: another station, another place in a file.
    case temporary
}

/// What went wrong in a player, and where.
package struct PlaybackError: Error, Hashable, Sendable {
    package enum Stage: Hashable, Sendable {
        /// The station or the file.
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
    package var stopReason = StopReason.none
    /// What is wrong now, or has ended it; nil where nothing is.
    package var error: PlaybackError?
    /// Whether the sound server wants silence for now, for a telephone call say.
    package var isHeld = false

    package init() {}
}

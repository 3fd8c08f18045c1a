// SPDX-License-Identifier: MIT

import Instants
package import RadioCore

/// What a programme is doing, in as much detail as people care about. The value contains no wording.
package enum Activity: Sendable, Hashable {
    case lookingUp
    case connecting
    /// Connected, but no audio has arrived yet.
    case awaitingAudio
    case delivering
    /// Audio arrives, but is held back until its place in the programme is found.
    case locating
    /// Connected, but no audio has arrived for longer than a station's usual pauses.
    case silent
    /// A second connection is being tried because the first has stalled, or has brought no audio yet.
    case hedging(hasStalled: Bool)
    /// Waiting this long before the next attempt.
    case waiting(Duration, after: Failure?)
    /// All of a file has been read, and more of it may still be written.
    case growing
    case stopped
}

extension Activity {
    /// No station pauses this long on purpose.
    private static let unusualSilence = Duration.seconds(5)

    /// The activity of a station.
    init(_ machine: ConnectionMachine, isDelivering: Bool, at now: MonotonicInstant) {
        switch machine.state {
        case .idle: self = .lookingUp
        case .hedged(let first, let hedge) where !hedge.isReturn: self = .hedging(hasStalled: first.step == .live)
        case .open(let connection), .hedged(let connection, _):
            switch connection.step {
            case .resolving: self = .lookingUp
            case .connecting, .securing: self = .connecting
            case .awaitingHead, .awaitingFirstByte, .probing: self = .awaitingAudio
            case .live:
                if isDelivering {
                    self = machine.silence(now) > Self.unusualSilence ? .silent : .delivering
                } else {
                    self = .locating
                }
            }
        case .waiting(let until): self = .waiting(until - now, after: machine.lastFailure)
        case .stopped: self = .stopped
        }
    }
}

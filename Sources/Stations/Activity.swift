// SPDX-License-Identifier: MIT

import Instants
package import RadioCore

/// What a programme does just now, as far as people want to know: a value, for others to put into words.
package enum Activity: Sendable, Hashable {
    case lookingUp
    case connecting
    /// Connected; no audio has come yet.
    case awaitingAudio
    case delivering
    /// Audio comes, and goes on once its place in the programme is found.
    case locating
    /// Connected, and no audio has come for longer than stations pause.
    case silent
    /// A second connection is being tried beside the first, which has stalled, or has brought no audio yet.
    case hedging(hasStalled: Bool)
    /// The next try is in this time.
    case waiting(Duration, after: Failure?)
    case stopped
}

extension Activity {
    /// No station pauses for so long on purpose.
    private static let unusualSilence = Duration.seconds(5)

    /// The activity of a station.
    init(_ machine: ConnectionMachine, isDelivering: Bool, at now: MonotonicInstant) {
        switch machine.state {
        case .idle: self = .lookingUp
        case .open(let connection):
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
        case .hedged(let first, _): self = .hedging(hasStalled: first.step == .live)
        case .waiting(let until): self = .waiting(until - now, after: machine.lastFailure)
        case .stopped: self = .stopped
        }
    }
}

// SPDX-License-Identifier: MIT

import Instants

/// The pause before another hedge may be opened beside a first connection.
struct HedgePause: Sendable {
    private var end: MonotonicInstant?

    /// A hedge that is not allowed is considered again after this time.
    private static let again = Duration.milliseconds(500)

    /// When a hedge that is due at `due` may be opened.
    func opening(due: MonotonicInstant) -> MonotonicInstant { end.map { max($0, due) } ?? due }

    /// Ends the pause: the first connection delivers, or a new try begins.
    mutating func finish() { end = nil }

    /// Pauses for a moment, because the process has too many hedges already, or there is no address for the hedge.
    mutating func notAllowed(_ now: MonotonicInstant) { end = now + Self.again }

    /// Pauses for the hedge delay, because the hedge has become the first connection: it gets its full time before it
    /// gets a hedge of its own.
    mutating func promoted(_ now: MonotonicInstant, hedgeDelay: Duration) { end = now + hedgeDelay }

    /// Allows a hedge to another address at once, because the hedge beside a live first connection was refused.
    mutating func refused(_ now: MonotonicInstant) { end = now }

    /// Pauses because the hedge failed in another way. The next hedge is due when the first connection has been without
    /// audio for twice as long as now: the longer the silence, the less likely another hedge is to help.
    mutating func failed(beside first: ConnectionMachine.Connection, _ now: MonotonicInstant) {
        end = now + (now - first.quietSince)
    }
}

// SPDX-License-Identifier: MIT

import Instants

/// The pause before a better entry of the list is tried again, beside the entry that plays.
struct ReturnPause: Sendable {
    private var pause = shortest
    /// When the last try ended.
    private var ended: MonotonicInstant?
    /// The number of tries, so that several better entries take turns.
    private(set) var tries = 0

    private static let shortest = Duration.seconds(2)
    private static let longest = Duration.seconds(60)

    /// When a better entry may be tried beside a connection that delivers since `liveSince`.
    func due(liveSince: MonotonicInstant) -> MonotonicInstant { max(liveSince, ended ?? liveSince) + pause }

    /// Doubles the pause for a try that begins, also if it succeeds: the entry may soon fail again.
    mutating func begin() {
        tries += 1
        pause = min(pause.scaled(2), Self.longest)
    }

    /// Begins the pause: a try has failed, or was not allowed.
    mutating func failed(_ now: MonotonicInstant) { ended = now }

    /// Shortens the pause again, after a minute of good audio.
    mutating func reset() { pause = Self.shortest }
}

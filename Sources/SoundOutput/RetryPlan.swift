// SPDX-License-Identifier: MIT

import Instants

/// The times of retries: at once, then every 250 ms for 10 s, then every second.
struct RetryPlan: Sendable {
    private static let quickPause: Duration = .milliseconds(250)
    private static let quickTime: Duration = .seconds(10)
    private static let slowPause: Duration = .seconds(1)

    private var firstFailure: MonotonicInstant?
    /// When the next try is due; nil for at once.
    private(set) var next: MonotonicInstant?

    func isDue(at now: MonotonicInstant) -> Bool { next.map { $0 <= now } ?? true }

    mutating func failed(at now: MonotonicInstant) {
        let first = firstFailure ?? now
        firstFailure = first
        next = now + (now - first < Self.quickTime ? Self.quickPause : Self.slowPause)
    }
}

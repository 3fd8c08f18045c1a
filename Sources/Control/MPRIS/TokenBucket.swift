// SPDX-License-Identifier: MIT

package import Instants

/// A rate limit: `size` events at once, then one per interval.
package struct TokenBucket: Hashable, Sendable {
    private let size: Int
    private let interval: Duration
    /// The instant at which the bucket is full again.
    private var fullAt: MonotonicInstant

    package init(size: Int, interval: Duration) {
        self.size = size
        self.interval = interval
        fullAt = MonotonicInstant(nanoseconds: .min)
    }

    /// Takes a token and returns nil, or returns the instant at which the next token is available.
    package mutating func take(at now: MonotonicInstant) -> MonotonicInstant? {
        let next = max(fullAt, now) + interval
        let latest = now + interval * size
        guard next <= latest else { return now + (next - latest) }
        fullAt = next
        return nil
    }
}

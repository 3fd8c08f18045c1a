// SPDX-License-Identifier: MIT

package import Instants

/// How often something may happen: a few times at once, and then once in each interval.
package struct TokenBucket: Hashable, Sendable {
    private let size: Int
    private let interval: Duration
    /// When the bucket is full again.
    private var fullAt: MonotonicInstant

    package init(size: Int, interval: Duration) {
        self.size = size
        self.interval = interval
        fullAt = MonotonicInstant(nanoseconds: .min)
    }

    /// Takes a token. Nil, or when there will be one.
    package mutating func take(at now: MonotonicInstant) -> MonotonicInstant? {
        let next = max(fullAt, now) + interval
        let latest = now + interval * size
        guard next <= latest else { return now + (next - latest) }
        fullAt = next
        return nil
    }
}

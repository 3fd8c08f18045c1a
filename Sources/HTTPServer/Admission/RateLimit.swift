// SPDX-License-Identifier: MIT

import Instants

/// How often something may happen: a few times at once, and from then on at intervals.
package struct RateLimit: Hashable, Sendable {
    /// Times that it may happen at once, after a rest.
    package var burst: Int
    /// After which time it may happen once more.
    package var interval: Duration

    package init(burst: Int, interval: Duration) {
        self.burst = max(burst, 1)
        self.interval = max(interval, .nanoseconds(1))
    }

    /// `perSecond` times a second, and after a rest `burst` times at once.
    package init(perSecond: Int, burst: Int) {
        self.init(burst: burst, interval: .seconds(1) / max(perSecond, 1))
    }
}

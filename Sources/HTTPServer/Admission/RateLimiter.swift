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

/// A ``RateLimit`` for each of many clients. A value without I/O; bounded, whoever comes.
///
/// Of each client one instant is kept: when its allowance will be whole again. An allowance that is whole is not kept
/// at all, so what is held are the clients of the last `burst * interval`.
struct RateLimiter {
    private let limit: RateLimit
    private let capacity: Int
    private var wholeAgain: [SocketAddress.Host: MonotonicInstant] = [:]
    /// Shared by clients that came when the table was full.
    private var strangers: MonotonicInstant?
    private var mayTidyAt: MonotonicInstant?

    /// To look for those whose allowance is whole again is a walk through the whole table: not for every stranger.
    private static let tidyInterval = Duration.seconds(1)

    init(_ limit: RateLimit, capacity: Int = 16384) {
        self.limit = limit
        self.capacity = capacity
    }

    /// Takes one from the client's allowance: nil where there was one, and otherwise how long until there will be.
    mutating func take(_ client: SocketAddress.Host, now: MonotonicInstant) -> Duration? {
        let key = client.limitKey
        if wholeAgain[key] == nil, wholeAgain.count >= capacity {
            tidy(now)
            guard wholeAgain.count < capacity else { return take(from: &strangers, now) }
        }
        return take(from: &wholeAgain[key], now)
    }

    /// Gives back what was taken for something that did not count in the end.
    mutating func giveBack(_ client: SocketAddress.Host, now: MonotonicInstant) {
        let key = client.limitKey
        guard let instant = wholeAgain[key] else { return }
        let earlier = instant - limit.interval
        wholeAgain[key] = earlier > now ? earlier : nil
    }

    private mutating func tidy(_ now: MonotonicInstant) {
        guard now >= mayTidyAt ?? now else { return }
        mayTidyAt = now + Self.tidyInterval
        wholeAgain = wholeAgain.filter { $0.value > now }
    }

    private func take(from allowance: inout MonotonicInstant?, _ now: MonotonicInstant) -> Duration? {
        let after = max(allowance ?? now, now) + limit.interval
        let excess = (after - now) - limit.interval * limit.burst
        guard excess <= .zero else { return excess }
        allowance = after
        return nil
    }
}

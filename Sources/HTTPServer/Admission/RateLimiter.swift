// SPDX-License-Identifier: MIT

import Instants

/// A token bucket: allows a burst, and from then on one event per interval.
package struct RateLimit: Hashable, Sendable {
    /// The number of events allowed at once, after a time without events.
    package var burst: Int
    /// The interval at which further events are allowed.
    package var interval: Duration

    package init(burst: Int, interval: Duration) {
        self.burst = max(burst, 1)
        self.interval = max(interval, .nanoseconds(1))
    }

    /// Allows `perSecond` events per second, and `burst` events at once after a time without events.
    package init(perSecond: Int, burst: Int) {
        self.init(burst: burst, interval: .seconds(1) / max(perSecond, 1))
    }
}

/// A ``RateLimit`` for each of many clients. A value without I/O, of bounded size for any number of clients.
///
/// Stores a single instant per client: when its allowance will be full again. Clients with a full allowance are not
/// stored, so the table contains only clients of the last `burst * interval`.
struct RateLimiter<Client: Hashable> {
    private let limit: RateLimit
    private let capacity: Int
    private var wholeAgain: [Client: MonotonicInstant] = [:]
    /// The allowance shared by clients that arrived while the table was full.
    private var strangers: MonotonicInstant?
    private var mayTidyAt: MonotonicInstant?

    /// How often clients with a full allowance are removed. Finding them means walking the whole table, which would
    /// take too long for every new client.
    private static var tidyInterval: Duration { .seconds(1) }

    init(_ limit: RateLimit, capacity: Int = 16384) {
        self.limit = limit
        self.capacity = capacity
    }

    /// Takes one event from the client's allowance. Returns nil on success, otherwise the time until the next event is
    /// allowed.
    mutating func take(_ client: Client, now: MonotonicInstant) -> Duration? {
        if wholeAgain[client] == nil, wholeAgain.count >= capacity {
            tidy(now)
            guard wholeAgain.count < capacity else { return take(from: &strangers, now) }
        }
        return take(from: &wholeAgain[client], now)
    }

    /// Gives an event back to the client's allowance, because it does not count after all.
    mutating func giveBack(_ client: Client, now: MonotonicInstant) {
        guard let instant = wholeAgain[client] else { return }
        let earlier = instant - limit.interval
        wholeAgain[client] = earlier > now ? earlier : nil
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

// SPDX-License-Identifier: MIT

import Instants
import Testing

@testable import HTTPServer

@Suite struct RateLimiterTests {
    private let start = MonotonicInstant(nanoseconds: 5)
    private let one = SocketAddress.Host.v4(1)

    @Test("A burst is allowed at once, and then one request in each interval") func burstThenRate() {
        var limiter = RateLimiter<SocketAddress.Host>(RateLimit(burst: 3, interval: .seconds(5)))
        let waits = (0..<5).map { _ in limiter.take(one, now: start) }
        #expect(waits == [nil, nil, nil, .seconds(5), .seconds(5)])
        let early = limiter.take(one, now: start + .seconds(4))
        let inTime = limiter.take(one, now: start + .seconds(5))
        let again = limiter.take(one, now: start + .seconds(6))
        #expect((early, inTime, again) == (.seconds(1), nil, .seconds(4)))
        let rested = (0..<4).map { _ in limiter.take(one, now: start + .seconds(60)) }
        #expect(rested == [nil, nil, nil, .seconds(5)])
    }

    @Test("An allowance that was given back can be used again") func givenBack() {
        var limiter = RateLimiter<SocketAddress.Host>(RateLimit(burst: 1, interval: .seconds(5)))
        for _ in 0..<10 {
            let wait = limiter.take(one, now: start)
            #expect(wait == nil)
            limiter.giveBack(one, now: start)
        }
        limiter.giveBack(one, now: start)
        let waits = (0..<2).map { _ in limiter.take(one, now: start) }
        #expect(waits == [nil, .seconds(5)])
    }

    @Test("An IPv6 network counts as one client") func ipv6Network() {
        var limiter = RateLimiter<SocketAddress.Host>(RateLimit(burst: 2, interval: .seconds(5)))
        let waits = (0..<3).map {
            limiter.take(SocketAddress.Host.v6(high: 7, low: UInt64($0), scope: 0).limitKey, now: start)
        }
        #expect(waits == [nil, nil, .seconds(5)])
        let neighbour = limiter.take(SocketAddress.Host.v6(high: 8, low: 0, scope: 0).limitKey, now: start)
        #expect(neighbour == nil)
    }

    @Test("Clients beyond the capacity share one allowance") func strangers() {
        var limiter = RateLimiter<SocketAddress.Host>(RateLimit(burst: 2, interval: .seconds(5)), capacity: 10)
        for client in 0..<10 {
            let wait = limiter.take(.v4(UInt32(client)), now: start)
            #expect(wait == nil)
        }
        let strangers = (100..<104).map { limiter.take(.v4(UInt32($0)), now: start) }
        #expect(strangers == [nil, nil, .seconds(5), .seconds(5)])
        // Clients whose allowance is full again make room.
        let later = (200..<204).map { limiter.take(.v4(UInt32($0)), now: start + .seconds(5)) }
        #expect(later == [nil, nil, nil, nil])
    }

    @Test("A full table is searched at most once a second") func fullTable() {
        var limiter = RateLimiter<SocketAddress.Host>(RateLimit(burst: 1, interval: .milliseconds(100)), capacity: 3)
        // The last client finds the table full. The table is searched, but no client in it has its full allowance
        // again.
        for client in 0..<4 {
            let wait = limiter.take(.v4(UInt32(client)), now: start)
            #expect(wait == nil)
        }
        let soon = (10..<12).map { limiter.take(.v4(UInt32($0)), now: start + .milliseconds(999)) }
        #expect(soon == [nil, .milliseconds(100)])
        let later = (20..<22).map { limiter.take(.v4(UInt32($0)), now: start + .seconds(1)) }
        #expect(later == [nil, nil])
    }
}

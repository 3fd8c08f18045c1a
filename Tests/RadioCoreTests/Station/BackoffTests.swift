// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import Testing

@Suite struct BackoffTests {
    private static let start = MonotonicInstant(nanoseconds: 0)

    /// The attempts in an outage of `length`: when each is made, and the delay after it.
    private static func outage(_ length: Duration, seed: UInt64) -> [(at: Duration, delay: Duration)] {
        var backoff = Backoff(seed: seed)
        var now = start
        var tries: [(at: Duration, delay: Duration)] = []
        while now - start < length {
            let delay = backoff.delay(at: now)
            tries.append((now - start, delay))
            now = now + delay
        }
        return tries
    }

    @Test(
        "Attempts are made at once, then soon, then calmly, and rarely after ten minutes",
        arguments: 0..<50 as Range<UInt64>) func pace(
            seed: UInt64
        ) throws
    {
        let tries = Self.outage(.seconds(7_200), seed: seed)
        #expect(tries.first?.delay == .zero)
        let quick = tries.dropFirst().prefix { $0.at < .seconds(5) }
        #expect((9...13).contains(quick.count))
        #expect(quick.allSatisfy { $0.delay >= .milliseconds(400) && $0.delay <= .milliseconds(600) })
        let slow = tries.dropFirst(1 + quick.count)
        for (delay, seconds) in zip(slow.map(\.delay), [1.0, 2]) {
            #expect(delay >= .seconds(0.8 * seconds) && delay <= .seconds(1.2 * seconds))
        }
        let calm = slow.dropFirst(2).prefix { $0.at < .seconds(600) }
        #expect(calm.allSatisfy { $0.delay >= .seconds(2) && $0.delay <= .seconds(2.8) })
        let last = try #require(tries.last)
        #expect(last.delay >= .seconds(48) && last.delay <= .seconds(72))
    }

    @Test("Stations that fail together do not reconnect together") func spread() {
        let first = (0..<200 as Range<UInt64>).map { seed in
            var backoff = Backoff(seed: seed)
            _ = backoff.delay(at: Self.start)
            return backoff.delay(at: Self.start)
        }
        #expect(Set(first).count == 200)
    }

    @Test("After half a second of new audio, the next try is due at once, but not if all came at once")
    func recovery() {
        var backoff = Backoff(seed: 1)
        var now = Self.start
        for _ in 0..<400 { now = now + backoff.delay(at: now) }
        let calm = Duration.seconds(2)...Duration.milliseconds(2_800)
        for (audio, time) in [(Duration.zero, Duration.seconds(60)), (.milliseconds(26), .milliseconds(26))] {
            let isBack = backoff.delivered(audio, in: time, now)
            #expect(!isBack && backoff.delay(at: now) > calm.upperBound)
        }
        // A burst ends only the growth.
        var isBack = backoff.delivered(.seconds(9), in: .zero, now)
        #expect(!isBack && calm.contains(backoff.delay(at: now)))
        isBack = backoff.delivered(.milliseconds(500), in: .milliseconds(500), now)
        #expect(isBack && backoff.delay(at: now) == .zero && calm.contains(backoff.delay(at: now)))
        // Some seconds end the outage.
        isBack = backoff.delivered(.seconds(5), in: .seconds(5), now)
        #expect(isBack && backoff.delay(at: now) == .zero && backoff.delay(at: now) <= .milliseconds(600))
        #expect(backoff.delay(at: now + .seconds(5)) <= .milliseconds(1_200))
    }

    @Test("Retry-After is obeyed within bounds, and failures that need a person are retried rarely") func retryAfter() {
        func hold(_ failureClass: Failure.Class, retryAfter: Duration? = nil) -> Duration? {
            Backoff.hold(after: Failure(failureClass, "", remedy: "", retryAfter: retryAfter))
        }
        #expect(hold(.unauthorized) == .seconds(300))
        #expect(hold(.certificate, retryAfter: .seconds(1)) == .seconds(300))
        #expect(hold(.serverBusy, retryAfter: .seconds(30)) == .seconds(30))
        #expect(hold(.serverBusy, retryAfter: .seconds(86_400)) == .seconds(600))
        #expect(hold(.serverBusy, retryAfter: .zero) == .milliseconds(500))
        #expect(hold(.serverBusy) == nil)
        #expect(Backoff.hold(after: nil) == nil)
    }
}

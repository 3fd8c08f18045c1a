// SPDX-License-Identifier: MIT

import Instants
import Testing

@testable import Daemon

/// Whether a clock is trusted to decide which recordings are old.
struct ClockTrustTests {
    private static let day: Int64 = 86_400
    private static let start = WallInstant(nanoseconds: 1_790_000_000_000_000_000)

    private func look(_ trust: inout ClockTrust, wall: Int64, now: Int64) -> Bool {
        let instant = MonotonicInstant(nanoseconds: now * 1_000_000_000)
        trust.look(wall: Self.start + .seconds(wall), now: instant)
        return trust.isBelieved(at: instant)
    }

    @Test("A steady clock is believed after a day, or at once if an earlier run saw it") func steadyClock() {
        var trust = ClockTrust()
        #expect(!look(&trust, wall: 0, now: 10))
        #expect(!look(&trust, wall: Self.day - 10, now: Self.day))
        #expect(look(&trust, wall: Self.day, now: Self.day + 10))
        var known = ClockTrust()
        known.note(
            lastRun: Self.start + .seconds(-Self.day), steadySince: nil, wall: Self.start, now: .init(nanoseconds: 0))
        #expect(look(&known, wall: 0, now: 0) && look(&known, wall: 9, now: 9))
    }

    @Test("A clock that leapt by days is not believed for a day, and a sleep or a step back changes nothing")
    func leap() {
        var trust = ClockTrust()
        trust.note(lastRun: Self.start, steadySince: nil, wall: Self.start, now: .init(nanoseconds: 0))
        #expect(look(&trust, wall: 0, now: 0) && look(&trust, wall: Self.day, now: 10))
        #expect(look(&trust, wall: -90 * Self.day, now: 20))
        #expect(!look(&trust, wall: 310 * Self.day, now: 30) && !look(&trust, wall: 310 * Self.day + 60, now: 90))
        #expect(look(&trust, wall: 311 * Self.day, now: Self.day + 30))
    }

    @Test("A clock that leapt between two runs is not believed for a day, however often the daemon starts")
    func leapBetweenRuns() {
        var (since, seen) = (Self.start, Self.start)
        // The clock is 60 days ahead, and the daemon starts once a minute.
        for minute in 0..<10 {
            let wall = Self.start + .seconds(60 * Self.day + Int64(minute) * 60)
            let now = MonotonicInstant(nanoseconds: Int64(minute) * 1_000_000_000)
            var trust = ClockTrust()
            trust.note(lastRun: seen, steadySince: since, wall: wall, now: now)
            trust.look(wall: wall, now: now)
            #expect(!trust.isBelieved(at: now))
            (since, seen) = (trust.steadySince(wall: wall, now: now) ?? wall, wall)
            #expect(since == Self.start + .seconds(60 * Self.day))
        }
        let wall = seen + .seconds(Self.day)
        var trust = ClockTrust()
        trust.note(lastRun: seen, steadySince: since, wall: wall, now: .init(nanoseconds: 0))
        #expect(look(&trust, wall: 61 * Self.day + 540, now: 0))
    }

    @Test("An earlier run that ended long ago does not vouch for the clock") func oldRun() {
        var trust = ClockTrust()
        trust.note(
            lastRun: Self.start + .seconds(-400 * Self.day), steadySince: nil, wall: Self.start,
            now: .init(nanoseconds: 0))
        #expect(!look(&trust, wall: 0, now: 0))
    }
}

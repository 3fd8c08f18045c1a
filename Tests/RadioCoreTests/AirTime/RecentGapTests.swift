// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import Testing

/// The newest gap, and the clock that it follows.
@Suite struct RecentGapTests {
    private static let start = MonotonicInstant(nanoseconds: 100_000_000_000)

    /// Feeds a clock with a second of audio each second, late by what `delays` say.
    private static func feed(
        _ clock: inout AirClock, _ edge: inout EdgeClock, from time: Duration, _ delays: [Double],
        late: Duration = .zero
    ) {
        for (index, delay) in delays.enumerated() {
            let end = time + .seconds(index + 1)
            let now = start + end + late + .seconds(delay)
            edge.arrived(from: .zero, upTo: end, now: now)
            clock.arrived(upTo: end, edge, at: end, now: now)
        }
    }

    @Test("A gap gets shorter as the map behind it moves back, for a minute and on the same edge") func follows() throws
    {
        var (clock, edge) = (AirClock(), EdgeClock())
        clock.follow("a")
        Self.feed(&clock, &edge, from: .zero, [0.1, 0, 0.1, 0.1])
        clock.restart(at: .seconds(4), from: Self.start + .seconds(9.2), isSettled: true)
        let now = Self.start + .seconds(10)
        let gap = Gap(at: WallInstant(nanoseconds: 0), length: .seconds(5.2), cause: "none")
        var recent = try #require(RecentGap(gap, before: Position(), clock, now))
        var follows = recent.follow(clock)
        #expect(!follows)
        Self.feed(&clock, &edge, from: .seconds(4), [0.2, 0.3, 0.05, 0.1], late: .seconds(5))
        follows = recent.follow(clock)
        #expect(follows && abs((recent.gap.length ?? .zero).inSeconds - 5.05) < 0.001)
        follows = recent.follow(clock)
        #expect(!follows)
        #expect(!recent.isOver(clock, now + .seconds(59)) && recent.isOver(clock, now + .seconds(60)))
        clock.follow("b")
        #expect(recent.isOver(clock, now))
    }

    @Test("A gap without a length has nothing to follow") func unknown() {
        let gap = Gap(at: WallInstant(nanoseconds: 0), length: nil, cause: "none")
        #expect(RecentGap(gap, before: Position(), AirClock(), Self.start) == nil)
    }

    @Test("Arrivals on time soon after a splice show a smaller lag of the new edge, and leave the map")
    func smallerLag() {
        var (clock, edge, other) = (AirClock(), EdgeClock(), EdgeClock())
        clock.follow("a")
        Self.feed(&clock, &edge, from: .zero, [0, 0.1, 0, 0.1])
        let origin = clock.origin
        clock.follow("b")
        clock.reconnected()
        Self.feed(&clock, &other, from: .seconds(4), [0.4, 0.4, 0.4, 0.4, 0.4], late: .seconds(2))
        #expect(abs((clock.lag(of: "b") ?? .zero).inSeconds - 2.4) < 0.001)
        Self.feed(&clock, &other, from: .seconds(9), [0.2, 0.4, 0, 0.3], late: .seconds(2))
        #expect(abs((clock.lag(of: "b") ?? .zero).inSeconds - 2) < 0.001 && clock.origin == origin)
    }
}

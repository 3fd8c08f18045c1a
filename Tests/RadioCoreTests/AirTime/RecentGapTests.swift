// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import Testing

/// A recent gap, and the clock that it follows.
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
            edge.arrived(upTo: end, now: now)
            clock.arrived(upTo: end, edge, at: end, now: now)
        }
    }

    private static func gap(_ length: Duration?, since old: AirClock) -> RecentGap {
        let gap = Gap(at: WallInstant(nanoseconds: 0), length: length, cause: "none")
        return RecentGap(gap, before: Position(), since: old, start)
    }

    @Test("A gap gets shorter as the map behind it moves back, for a minute") func follows() {
        var (clock, edge) = (AirClock(), EdgeClock())
        clock.follow("a")
        Self.feed(&clock, &edge, from: .zero, [0.1, 0, 0.1, 0.1])
        let old = clock
        clock.restart(at: .seconds(4), from: Self.start + .seconds(9.2), isSettled: true)
        var recent = Self.gap(nil, since: old)
        var follows = recent.follow(&clock, Self.start)
        #expect(follows != nil && abs((recent.gap.length ?? .zero).inSeconds - 5.2) < 0.001)
        Self.feed(&clock, &edge, from: .seconds(4), [0.2, 0.3, 0.05, 0.1], late: .seconds(5))
        follows = recent.follow(&clock, Self.start)
        #expect(follows != nil && abs((recent.gap.length ?? .zero).inSeconds - 5.05) < 0.001)
        follows = recent.follow(&clock, Self.start)
        #expect(follows == nil)
        #expect(!recent.isOver(clock, Self.start + .seconds(59)) && recent.isOver(clock, Self.start + .seconds(60)))
    }

    @Test("A gap gets its length when a server is measured that was measured before it", arguments: [-3, 0, 0.4, 3])
    func unknown(late: Double) {
        var (clock, edge, other, again) = (AirClock(), EdgeClock(), EdgeClock(), EdgeClock())
        clock.follow("a")
        Self.feed(&clock, &edge, from: .zero, [0, 0.1, 0, 0.1])
        let old = clock
        clock.follow("b")
        clock.restart(at: .seconds(4), from: Self.start + .seconds(9 - late), isSettled: true)
        var recent = Self.gap(nil, since: old)
        Self.feed(&clock, &other, from: .seconds(4), [0.1, 0, 0.1, 0.1], late: .seconds(5 - late))
        var follows = recent.follow(&clock, Self.start)
        #expect(follows == nil && !recent.isOver(clock, Self.start + .seconds(100)))
        clock.skip(.seconds(2), before: .seconds(8))
        clock.follow("a")
        clock.reconnected(at: .seconds(8))
        Self.feed(&clock, &again, from: .seconds(8), [0.1, 0, 0.1, 0.1, 0.1, 0.1], late: .seconds(7))
        follows = recent.follow(&clock, Self.start)
        #expect(follows != nil && abs((recent.gap.length ?? .zero).inSeconds - 5) < 0.001, "\(recent.gap)")
        #expect(abs((clock.lag(of: "b") ?? .zero).inSeconds - max(0, -late)) < 0.001)
    }

    @Test("A hole among the frames of a connection delays the next ones, and one before them does not")
    func holeBesideJoin() {
        for time in [3, 5] {
            var (clock, edge, other) = (AirClock(), EdgeClock(), EdgeClock())
            clock.follow("a")
            Self.feed(&clock, &edge, from: .zero, [0, 0.1, 0, 0.1])
            clock.follow("b")
            clock.reconnected(at: .seconds(4))
            other.arrived(upTo: .seconds(1), now: Self.start + .seconds(7))
            clock.skip(.seconds(2), before: .seconds(time))
            let due = clock.arrival(of: .seconds(6), other, at: .seconds(2))
            #expect(due == Self.start + .seconds(time > 4 ? 10 : 8))
        }
    }

    @Test("A server that proves to be behind has sent audio again") func behind() {
        var (clock, edge, other, again) = (AirClock(), EdgeClock(), EdgeClock(), EdgeClock())
        clock.follow("a")
        Self.feed(&clock, &edge, from: .zero, [0, 0.1, 0, 0.1])
        var recent = Self.gap(nil, since: clock)
        clock.follow("b")
        clock.restart(at: .seconds(4), from: Self.start + .seconds(4.2), isSettled: true)
        Self.feed(&clock, &other, from: .seconds(4), [0.1, 0, 0.1, 0.1], late: .seconds(0.2))
        clock.follow("a")
        clock.reconnected(at: .seconds(28))
        Self.feed(&clock, &again, from: .seconds(28), [0.1, 0, 0.1, 0.1, 0.1, 0.1], late: .seconds(-19.8))
        let follows = recent.follow(&clock, Self.start)
        #expect(follows == .zero && recent.gap.length == .zero)
        #expect(abs(recent.gap.overlap.inSeconds - 19.8) < 0.001)
    }

    @Test("Arrivals on time soon after a splice show a smaller lag of the new edge, and leave the map")
    func smallerLag() {
        var (clock, edge, other) = (AirClock(), EdgeClock(), EdgeClock())
        clock.follow("a")
        Self.feed(&clock, &edge, from: .zero, [0, 0.1, 0, 0.1])
        let origin = clock.origin
        clock.follow("b")
        clock.reconnected(at: .seconds(4))
        Self.feed(&clock, &other, from: .seconds(4), [0.4, 0.4, 0.4, 0.4, 0.4], late: .seconds(2))
        #expect(abs((clock.lag(of: "b") ?? .zero).inSeconds - 2.4) < 0.001)
        Self.feed(&clock, &other, from: .seconds(9), [0.2, 0.4, 0, 0.3], late: .seconds(2))
        #expect(abs((clock.lag(of: "b") ?? .zero).inSeconds - 2) < 0.001 && clock.origin == origin)
    }
}

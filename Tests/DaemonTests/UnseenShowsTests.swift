// SPDX-License-Identifier: MIT

import Instants
import Testing
@testable import Daemon

struct UnseenShowsTests {
    private static func at(_ seconds: Int64) -> WallInstant {
        WallInstant(nanoseconds: 1_795_608_000_000_000_000) + .seconds(seconds)
    }

    @Test func `what ended before this run is unseen once`() {
        var shows = UnseenShows()
        shows.note(lastRun: Self.at(0))
        #expect(shows.look(at: Self.at(500))?.ends == Self.at(0)..<Self.at(500))
        #expect(shows.look(at: Self.at(515)) == nil)
    }

    @Test func `a clock that was set back leaves nothing to see`() {
        var shows = UnseenShows()
        shows.note(lastRun: Self.at(500))
        #expect(shows.look(at: Self.at(0)) == nil && shows.look(at: Self.at(-3_600)) == nil)
    }

    @Test func `after a sleep only shows count that nobody saw begin`() {
        var shows = UnseenShows()
        #expect(shows.look(at: Self.at(0)) == nil && shows.look(at: Self.at(60)) == nil)
        let span = shows.look(at: Self.at(7_200))
        #expect(span?.ends == Self.at(60)..<Self.at(7_200) && span?.begins == Self.at(60) + ShowCalendar.lead)
    }

    @Test func `an absence of years is cut to a fortnight`() {
        var shows = UnseenShows()
        shows.note(lastRun: Self.at(-100_000_000))
        #expect(shows.look(at: Self.at(0))?.ends.lowerBound == Self.at(-14 * 86_400))
    }
}

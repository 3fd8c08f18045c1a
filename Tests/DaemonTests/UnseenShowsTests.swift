// SPDX-License-Identifier: MIT

import Instants
import Testing

@testable import Daemon

struct UnseenShowsTests {
    private static func at(_ seconds: Int64) -> WallInstant {
        WallInstant(nanoseconds: 1_795_608_000_000_000_000) + .seconds(seconds)
    }

    /// The ends of shows after `start`, up to and including `end`.
    private static func ends(after start: Int64, upTo end: Int64) -> Range<WallInstant> {
        at(start) + .nanoseconds(1)..<at(end) + .nanoseconds(1)
    }

    @Test("The time since the last run is searched for unseen shows once") func lastRun() {
        var shows = UnseenShows()
        shows.note(lastRun: Self.at(0))
        #expect(shows.look(at: Self.at(500))?.ends == Self.ends(after: 0, upTo: 500))
        #expect(shows.look(at: Self.at(515)) == nil)
    }

    @Test("A clock that was set back leaves no time to search") func setBack() {
        var shows = UnseenShows()
        shows.note(lastRun: Self.at(500))
        #expect(shows.look(at: Self.at(0)) == nil && shows.look(at: Self.at(-3_600)) == nil)
    }

    @Test("After a sleep, only shows that began during it are unseen") func sleepingMachine() {
        var shows = UnseenShows()
        #expect(shows.look(at: Self.at(0)) == nil && shows.look(at: Self.at(60)) == nil)
        let span = shows.look(at: Self.at(7_200))
        #expect(span?.ends == Self.ends(after: 60, upTo: 7_200) && span?.begins == Self.at(60) + ShowCalendar.lead)
    }

    @Test("An absence of years is cut to a fortnight") func longAbsence() {
        var shows = UnseenShows()
        shows.note(lastRun: Self.at(-100_000_000))
        #expect(shows.look(at: Self.at(0))?.ends == Self.ends(after: -14 * 86_400, upTo: 0))
    }
}

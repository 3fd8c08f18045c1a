// SPDX-License-Identifier: MIT

import Configuration
import Instants
import RadioCore
import TestSupport
import Testing

/// Shows that are on several times a day, or differ on single dates.
@Suite struct ChangedDatesTests {
    private static let span = WallInstant("2026-11-30T00:00:00Z")..<WallInstant("2026-12-07T00:00:00Z")

    private func show(_ days: String, end: Show.End = .length(.seconds(3_600))) throws -> Show {
        Show(
            id: "jazz", name: "Jazz", days: try ShowDays(parsing: [days]), start: try TimeOfDay(parsing: "07:00"),
            end: end, zone: "UTC")
    }

    private func date(_ text: String) throws -> CalendarDate { try CalendarDate(parsing: text) }
    private func time(_ text: String) throws -> TimeOfDay { try TimeOfDay(parsing: text) }

    /// The broadcasts from Monday 30 November to Sunday 6 December: `12-03 07:00-08:00`.
    private func airings(_ show: Show) -> [String] {
        show.airings(overlapping: Self.span, in: FixedZone.utc).map { airing in
            let (from, until) = (airing.broadcast.lowerBound, airing.broadcast.upperBound)
            let texts = [from, until].map { CivilTime($0, in: FixedZone.utc).rfc3339 }
            return "\(texts[0].dropFirst(5).prefix(11).replacing("T", with: " "))-\(texts[1].dropFirst(11).prefix(5))"
        }
    }

    @Test("A show with several starts is on several times, and each broadcast is another") func severalStarts() throws {
        var show = try show("mon, wed")
        show.furtherStarts = [try time("12:00"), try time("18:30")]
        #expect(
            airings(show) == [
                "11-30 07:00-08:00", "11-30 12:00-13:00", "11-30 18:30-19:30", "12-02 07:00-08:00", "12-02 12:00-13:00",
                "12-02 18:30-19:30",
            ])
        let found = show.airings(overlapping: Self.span, in: FixedZone.utc)
        #expect(Set(found.map { "\($0.date) \(String(describing: $0.time))" }).count == 6)
        let noon = show.nextAiring(after: WallInstant("2026-11-30T07:30:00Z"), in: FixedZone.utc)
        #expect(noon?.broadcast.lowerBound == WallInstant("2026-11-30T12:00:00Z"))
    }

    @Test("A single date may have another start, be skipped, or be on although its day is not") func changes() throws {
        var show = try show("mon-fri")
        show.change(try date("2026-12-01"), to: try time("09:30"))
        show.change(try date("2026-12-02"), to: nil)
        show.change(try date("2026-12-05"), to: try time("23:30"))
        let expected = [
            "11-30 07:00-08:00", "12-01 09:30-10:30", "12-03 07:00-08:00", "12-04 07:00-08:00", "12-05 23:30-00:30",
        ]
        #expect(airings(show) == expected)
        // A show that ends by the clock is as long as always.
        show.end = .time(try time("08:00"))
        #expect(airings(show) == expected)
        // A single date may be outside of the season, and is on once, however often the show is on otherwise.
        show.validUntil = try date("2026-11-30")
        show.furtherStarts = [try time("12:00")]
        show.end = .length(.seconds(3_600))
        #expect(
            airings(show) == ["11-30 07:00-08:00", "11-30 12:00-13:00", "12-01 09:30-10:30", "12-05 23:30-00:30"])
        let next = show.nextAiring(after: WallInstant("2026-12-02T00:00:00Z"), in: FixedZone.utc)
        #expect(next?.date == (try date("2026-12-05")))
    }

    @Test("Whether a show is on again") func onAgain() throws {
        let today = try date("2026-11-28")
        #expect(try show("daily").isOnAgain(from: today))
        #expect(try !show("2026-11-27").isOnAgain(from: today))
        var over = try show("daily")
        over.validUntil = try date("2026-11-27")
        #expect(!over.isOnAgain(from: today) && over.isOnAgain(from: .first))
        over.change(today, to: try time("10:00"))
        #expect(over.isOnAgain(from: today) && !over.isOnAgain(from: today.adding(days: 1)))
    }
}

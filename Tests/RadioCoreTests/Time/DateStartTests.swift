// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import TestSupport
import Testing

/// When a day begins, by the clocks of a zone.
struct DateStartTests {
    @Test(
        "A day begins at its first instant, even if the clocks change on that day",
        arguments: [
            (TableZone.berlin, "2026-03-28", "2026-03-28T00:00:00+01:00"),
            // The clocks change two or three hours after midnight.
            (.berlin, "2026-03-29", "2026-03-29T00:00:00+01:00"), (.berlin, "2026-03-30", "2026-03-30T00:00:00+02:00"),
            (.berlin, "2026-10-25", "2026-10-25T00:00:00+02:00"), (.berlin, "2026-10-26", "2026-10-26T00:00:00+01:00"),
            // São Paulo's clocks skip midnight in spring, and in autumn go back to 23:00 at midnight.
            (.saoPaulo, "2018-11-04", "2018-11-04T01:00:00-02:00"),
            (.saoPaulo, "2019-02-17", "2019-02-17T00:00:00-03:00"),
            // Apia skipped the whole day.
            (.apia, "2011-12-30", "2011-12-31T00:00:00+14:00"), (.apia, "2011-12-31", "2011-12-31T00:00:00+14:00"),
            (.kathmandu, "2026-11-26", "2026-11-26T00:00:00+05:45"),
        ])
    func dayStart(zone: TableZone, day: String, start: String) throws {
        #expect(try CalendarDate(parsing: day).start(in: zone) == WallInstant(start))
    }

    @Test("Days follow each other without a hole", arguments: LawZone.all)
    func consecutiveDays(_ zone: LawZone) throws {
        let days = try CalendarDate(parsing: "2000-01-01").dayNumber..<CalendarDate(parsing: "2030-01-01").dayNumber
        var previous = CalendarDate(dayNumber: days.lowerBound - 1).start(in: zone)
        for day in days.lazy.map(CalendarDate.init(dayNumber:)) {
            let start = day.start(in: zone)
            let before = CalendarDate(CivilTime(start - .nanoseconds(1), in: zone))
            #expect(start >= previous && before < day && CalendarDate(CivilTime(start, in: zone)) >= day, "\(day)")
            previous = start
        }
    }
}

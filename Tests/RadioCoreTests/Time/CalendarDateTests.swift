// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import Testing

@Suite struct CalendarDateTests {
    @Test("Every date is parsed from its own text and follows the day before it") func everyDay() throws {
        var date = try CalendarDate(parsing: "1899-12-31")
        #expect(date.weekday == .sunday)
        let end = try CalendarDate(parsing: "2101-01-01")
        while date < end {
            let next = date.adding(days: 1)
            #expect(next > date && next.adding(days: -1) == date)
            #expect(next.weekday.rawValue == date.weekday.rawValue % 7 + 1)
            #expect(try CalendarDate(parsing: next.description) == next)
            #expect(CalendarDate(year: next.year, month: next.month, day: next.day) == next)
            date = next
        }
    }

    @Test("The date of a civil time is the date on its own clock") func civilDate() throws {
        let time = try #require(CivilTime(rfc3339: "2026-12-24T23:30:00-05:00"))
        #expect(CalendarDate(time).description == "2026-12-24")
        #expect(CalendarDate(time).weekday == .thursday)
    }

    @Test(
        "Text that is no date is refused",
        arguments: [
            "", "2026", "2026-12", "2026-12-24 ", " 2026-12-24", "2026-2-24", "26-12-24", "+026-12-24", "2026-+1-24",
            "2026/12/24", "20261224xx", "٢٠٢٦-12-24", "2026--1-24", "-026-12-24",
        ])
    func invalidText(text: String) {
        let error = #expect(throws: CalendarDate.ParseError.self) { try CalendarDate(parsing: text) }
        #expect(error?.description == "it must be a date such as 2026-12-24")
    }

    @Test(
        "A day that the calendar does not have is refused",
        arguments: [
            "2026-13-01", "2026-00-01", "2026-02-29", "2026-04-31", "2026-12-00", "1677-12-31", "2262-01-01",
        ])
    func noSuchDay(text: String) {
        #expect(throws: CalendarDate.ParseError.noSuchDay) { try CalendarDate(parsing: text) }
    }

    @Test("Dates stop at both ends of the calendar") func calendarEnds() throws {
        let first = try CalendarDate(parsing: "1678-01-01")
        let last = try CalendarDate(parsing: "2261-12-31")
        #expect(CalendarDate(dayNumber: .min) == first && CalendarDate(dayNumber: .max) == last)
        #expect(first.adding(days: -1) == first && first.adding(days: .min) == first)
        #expect(last.adding(days: 1) == last && last.adding(days: .max) == last)
        #expect(first.adding(days: .max) == last && last.adding(days: .min) == first)
        #expect(first.weekday == .saturday && last.weekday == .tuesday)
        #expect(CalendarDate(CivilTime(WallInstant(nanoseconds: .min), utcOffset: 0)) == first)
    }
}

// SPDX-License-Identifier: MIT

import RadioFormats

/// A day of the calendar, without a time of day and without a zone: `2026-12-24`. Proleptic Gregorian, in the years
/// 1678 to 2261, the range of a `WallInstant`.
package struct CalendarDate: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Days since 1970-01-01.
    package let dayNumber: Int64

    /// The first date of the calendar, 1678-01-01 or close to it.
    package static let first = CalendarDate(dayNumber: .min)

    /// Creates the date of a day. Days outside these years are clamped to the first or the last day.
    package init(dayNumber: Int64) {
        self.dayNumber = min(max(dayNumber, Self.firstDay), Self.lastDay)
    }

    /// The date of a civil time.
    package init(_ time: CivilTime) {
        self.init(dayNumber: CivilTime.day(ofYear: time.year, month: time.month, day: time.day))
    }

    /// Creates a date; nil if it does not exist, or is outside the years 1678 to 2261.
    package init?(year: Int, month: Int, day: Int) {
        guard let time = CivilTime(year: year, month: month, day: day, utcOffset: 0) else { return nil }
        self.init(time)
    }

    package var year: Int { CivilTime.date(ofDay: dayNumber).year }
    /// 1 to 12.
    package var month: Int { CivilTime.date(ofDay: dayNumber).month }
    /// 1 to 31.
    package var day: Int { CivilTime.date(ofDay: dayNumber).day }

    package var weekday: CivilTime.Weekday {
        CivilTime.Weekday(rawValue: Int((dayNumber - week * 7) + Self.thursday)) ?? .monday
    }

    /// The number of the week, from Monday to Sunday, counted from the week of 1970-01-01.
    package var week: Int64 { (dayNumber + Self.thursday - 1).dividedRoundingDown(by: 7).quotient }

    /// The date `days` later, or earlier if negative, clamped to the first and the last day.
    package func adding(days: Int) -> CalendarDate {
        let (sum, overflow) = dayNumber.addingReportingOverflow(Int64(days))
        return CalendarDate(dayNumber: overflow ? (days < 0 ? .min : .max) : sum)
    }

    /// `2026-12-24`
    package var description: String {
        let (year, month, day) = CivilTime.date(ofDay: dayNumber)
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }

    package static func < (first: CalendarDate, second: CalendarDate) -> Bool { first.dayNumber < second.dayNumber }

    private static let firstDay = CivilTime.day(ofYear: 1678, month: 1, day: 1)
    private static let lastDay = CivilTime.day(ofYear: 2261, month: 12, day: 31)
    /// The weekday of 1970-01-01.
    private static let thursday = Int64(CivilTime.Weekday.thursday.rawValue)
}

extension CalendarDate {
    /// Why a text is not a date. The description addresses the person who typed it.
    package enum ParseError: Error, Hashable, Sendable, CustomStringConvertible {
        case malformed
        /// The text is written as a date, but the calendar does not have that day.
        case noSuchDay

        package var description: String {
            switch self {
            case .malformed: "it must be a date such as 2026-12-24"
            case .noSuchDay: "there is no such day in the years 1678 to 2261"
            }
        }
    }

    /// Parses `YYYY-MM-DD`.
    package init(parsing text: String) throws(ParseError) {
        let parts = text.utf8.count == 10 ? text.split(separator: "-", omittingEmptySubsequences: false) : []
        guard parts.map(\.utf8.count) == [4, 2, 2],
            parts.allSatisfy({ $0.utf8.allSatisfy(\.isDigit) }),
            let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2])
        else { throw .malformed }
        guard let date = CalendarDate(year: year, month: month, day: day) else { throw .noSuchDay }
        self = date
    }
}

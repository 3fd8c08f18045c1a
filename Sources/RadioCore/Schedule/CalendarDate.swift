// SPDX-License-Identifier: MIT

/// A day of the calendar, without a time of day and without a zone: `2026-12-24`. Proleptic Gregorian.
package struct CalendarDate: Hashable, Comparable, Sendable {
    /// Days since 1970-01-01.
    package let dayNumber: Int64

    package init(dayNumber: Int64) {
        self.dayNumber = dayNumber
    }

    /// The date of a civil time.
    package init(_ time: CivilTime) {
        dayNumber = CivilTime.day(ofYear: time.year, month: time.month, day: time.day)
    }

    package static func < (first: CalendarDate, second: CalendarDate) -> Bool { first.dayNumber < second.dayNumber }

    package var year: Int { CivilTime.date(ofDay: dayNumber).year }
    /// 1 to 12.
    package var month: Int { CivilTime.date(ofDay: dayNumber).month }
    /// 1 to 31.
    package var day: Int { CivilTime.date(ofDay: dayNumber).day }

    package var weekday: CivilTime.Weekday {
        // 1970-01-01 was a Thursday.
        CivilTime.Weekday(rawValue: Int((dayNumber + 3).dividedRoundingDown(by: 7).remainder) + 1) ?? .monday
    }

    /// The date this many days later.
    package func adding(days: Int64) -> CalendarDate { CalendarDate(dayNumber: dayNumber + days) }

    /// The Monday of the week that the date is in.
    var monday: CalendarDate { adding(days: 1 - Int64(weekday.rawValue)) }

    /// Whether the date is the last one of its weekday in its month.
    var isLastOfItsWeekday: Bool { adding(days: 7).month != month }
}

extension CalendarDate: CustomStringConvertible {
    package var description: String {
        let (year, month, day) = CivilTime.date(ofDay: dayNumber)
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }

    /// Why a text is no date. The description addresses the person who typed it.
    package struct ParseError: Error, Hashable, Sendable, CustomStringConvertible {
        package var description: String { "it must be a date such as 2026-12-24" }
    }

    /// Parses `YYYY-MM-DD`, in the years that a ``CivilTime`` can have.
    package init(parsing text: String) throws(ParseError) {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard parts.map(\.count) == [4, 2, 2], parts.joined().allSatisfy({ (0x30...0x39).contains($0) }),
            let year = Int(String(decoding: parts[0], as: UTF8.self)),
            let month = Int(String(decoding: parts[1], as: UTF8.self)),
            let day = Int(String(decoding: parts[2], as: UTF8.self)),
            let time = CivilTime(year: year, month: month, day: day, utcOffset: 0)
        else { throw ParseError() }
        self.init(time)
    }
}

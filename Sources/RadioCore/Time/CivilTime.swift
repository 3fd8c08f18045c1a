// SPDX-License-Identifier: MIT

package import Instants

/// A date and a time of day, with their offset from UTC.
///
/// Proleptic Gregorian, no leap seconds. Days are counted in years that begin in March, so that the leap day is the
/// last day of its year and does not shift the beginning of any month.
package struct CivilTime: Hashable, Sendable {
    package enum Weekday: Int, Hashable, Sendable, CaseIterable {
        case monday = 1
        case tuesday, wednesday, thursday, friday, saturday, sunday
    }

    package let year: Int
    /// 1 to 12.
    package let month: Int
    /// 1 to 31.
    package let day: Int
    package let hour: Int
    package let minute: Int
    package let second: Int
    package let nanosecond: Int
    /// Seconds east of UTC.
    package let utcOffset: Int

    /// The civil time of an instant in a zone.
    package init(_ instant: WallInstant, in zone: any TimeZoneRules) {
        self.init(instant, utcOffset: zone.utcOffset(at: instant))
    }

    /// The civil time of an instant at an offset, in seconds east of UTC.
    package init(_ instant: WallInstant, utcOffset: Int) {
        let (seconds, nanoseconds) = instant.nanoseconds.dividedRoundingDown(by: 1_000_000_000)
        let (days, rest) = (seconds + Int64(utcOffset)).dividedRoundingDown(by: 86_400)
        (year, month, day) = CivilTime.date(ofDay: days)
        hour = Int(rest / 3600)
        minute = Int(rest / 60 % 60)
        second = Int(rest % 60)
        nanosecond = Int(nanoseconds)
        self.utcOffset = utcOffset
    }

    /// Creates a civil time from its parts. Nil for a date or time of day that does not exist, and outside the years
    /// 1678 to 2261, the range of a ``WallInstant``.
    package init?(
        year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0, nanosecond: Int = 0,
        utcOffset: Int
    ) {
        guard (1678...2261).contains(year), (1...12).contains(month),
            day >= 1, day <= CivilTime.days(inMonth: month, of: year),
            (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second),
            (0..<1_000_000_000).contains(nanosecond), (-86_399...86_399).contains(utcOffset)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
        self.nanosecond = nanosecond
        self.utcOffset = utcOffset
    }

    /// The instant that this civil time denotes.
    package var instant: WallInstant {
        let time = Int64(hour * 3600 + minute * 60 + second - utcOffset)
        let seconds = CivilTime.day(ofYear: year, month: month, day: day) * 86_400 + time
        return WallInstant(nanoseconds: 0) + .seconds(seconds) + .nanoseconds(nanosecond)
    }

    package var weekday: Weekday {
        // 1970-01-01 was a Thursday.
        let days = CivilTime.day(ofYear: year, month: month, day: day) + 3
        return Weekday(rawValue: Int(days.dividedRoundingDown(by: 7).remainder) + 1) ?? .monday
    }

    /// 1 to 366.
    package var dayOfYear: Int {
        let first = CivilTime.day(ofYear: year, month: 1, day: 1)
        return Int(CivilTime.day(ofYear: year, month: month, day: day) - first) + 1
    }

    package static func isLeap(_ year: Int) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    private static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

// Conversions between days since 1970-01-01 and dates, each the inverse of the other.
extension CivilTime {
    /// Days from 0000-03-01, where the count of 400-year cycles starts, to 1970-01-01.
    private static let epochDay: Int64 = 719_468
    private static let daysInCycle: Int64 = 146_097

    /// The number of days from 1970-01-01 to a date that exists. Correct for some million years either way.
    package static func day(ofYear year: Int, month: Int, day: Int) -> Int64 {
        // March is month 0 of a year, January and February belong to the year before.
        let fromMarch = Int64((month + 9) % 12)
        let (cycle, yearInCycle) = Int64(month <= 2 ? year - 1 : year).dividedRoundingDown(by: 400)
        // From March on, five months always have 153 days: 31, 30, 31, 30, 31.
        let dayInYear = (153 * fromMarch + 2) / 5 + Int64(day) - 1
        let dayInCycle = yearInCycle * 365 + yearInCycle / 4 - yearInCycle / 100 + dayInYear
        return cycle * daysInCycle + dayInCycle - epochDay
    }

    /// The date of a day, counted from 1970-01-01. Correct for some million years either way.
    package static func date(ofDay day: Int64) -> (year: Int, month: Int, day: Int) {
        let (cycle, dayInCycle) = (day + epochDay).dividedRoundingDown(by: daysInCycle)
        // Subtracts the leap days that have passed: one in every 1461 days, but none at the end of a century unless the
        // 400-year cycle ends there.
        let yearInCycle = (dayInCycle - dayInCycle / 1460 + dayInCycle / 36_524 - dayInCycle / 146_096) / 365
        let dayInYear = dayInCycle - (yearInCycle * 365 + yearInCycle / 4 - yearInCycle / 100)
        let fromMarch = (5 * dayInYear + 2) / 153
        let month = Int(fromMarch < 10 ? fromMarch + 3 : fromMarch - 9)
        let year = Int(cycle * 400 + yearInCycle) + (month <= 2 ? 1 : 0)
        return (year, month, Int(dayInYear - (153 * fromMarch + 2) / 5) + 1)
    }
}

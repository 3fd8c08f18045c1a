// SPDX-License-Identifier: MIT

import RadioCore

/// The rules of a time zone for all future years: a value of `TZ` as defined by POSIX, with the extensions of RFC 9636.
/// Examples: `CET-1CEST,M3.5.0,M10.5.0/3`, `<+03>-3`. Pure.
struct PosixRules: Hashable, Sendable {
    /// The valid offsets in seconds: less than a day in either direction.
    static let offsets = -86_399...86_399

    /// A day of each year.
    enum Day: Hashable, Sendable {
        /// `J60`: 1 to 365, not counting 29 February, so that 60 is always 1 March.
        case withoutLeapDay(Int)
        /// `59`: the number of days since 1 January, from 0 to 365.
        case sinceNewYear(Int)
        /// `M10.5.0`: the month; the week from 1 to 5, where 5 is the last week; and the day of the week, where 0 is
        /// Sunday.
        case weekday(month: Int, week: Int, day: Int)
    }

    /// A clock change of each year, in the local time before the change.
    struct Change: Hashable, Sendable {
        var day: Day
        /// Seconds since midnight of the day: −167 to 167 hours, so the change may be on another day.
        var time: Int
    }

    /// Summer time, from one change to another. The change that ends it may be earlier in the calendar year.
    struct Summer: Hashable, Sendable {
        var offset: Int
        var start: Change
        var end: Change
    }

    /// The offset of standard time in seconds east of UTC.
    let standard: Int
    let summer: Summer?

    /// The offset at a second since 1970, within some million years. Does not allocate.
    func offset(at second: Int64) -> Int {
        guard let summer else { return standard }
        let day = (second + Int64(standard)).dividedRoundingDown(by: 86_400).quotient
        let year = CivilTime.date(ofDay: day).year
        // A change whose time is on another day may belong to the year before or after.
        var last = Int64.min
        var isSummer = false
        for year in year - 1...year + 1 {
            let start = summer.start.second(of: year) - Int64(standard)
            let end = summer.end.second(of: year) - Int64(summer.offset)
            if end <= second, end > last { (last, isSummer) = (end, false) }
            // If summer time ends and starts at the same second, it continues: rules for summer time all year are
            // written that way.
            if start <= second, start >= last { (last, isSummer) = (start, true) }
        }
        return isSummer ? summer.offset : standard
    }
}

extension PosixRules.Change {
    /// Seconds from 1970-01-01T00:00 to the change in that year, in the local time before the change.
    fileprivate func second(of year: Int) -> Int64 { day.number(in: year) * 86_400 + Int64(time) }
}

extension PosixRules.Day {
    /// Days since 1970-01-01.
    fileprivate func number(in year: Int) -> Int64 {
        switch self {
        case .withoutLeapDay(let day):
            return CivilTime.day(ofYear: year, month: 1, day: day) + (day >= 60 && CivilTime.isLeap(year) ? 1 : 0)
        case .sinceNewYear(let day):
            return CivilTime.day(ofYear: year, month: 1, day: day + 1)
        case .weekday(let month, let week, let day):
            let first = CivilTime.day(ofYear: year, month: month, day: 1)
            let next = month == 12 ? first + 31 : CivilTime.day(ofYear: year, month: month + 1, day: 1)
            // 1970-01-01 was a Thursday, which is 4.
            let weekday = (first + 4).dividedRoundingDown(by: 7).remainder
            var number = first + (Int64(day) - weekday + 7) % 7 + Int64(week - 1) * 7
            // Week 5 is the last one, even if the month has only four.
            if number >= next { number -= 7 }
            return number
        }
    }
}

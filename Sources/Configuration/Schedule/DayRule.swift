// SPDX-License-Identifier: MIT

import RadioCore

/// A rule for the days on which a show is on.
enum DayRule: Hashable, Sendable {
    /// Every week.
    case weekly(WeekdaySet)
    /// The n-th such weekday of each month, from the first to the fifth.
    case monthly(Int, CivilTime.Weekday)
    /// The last such weekday of each month.
    case lastOfMonth(CivilTime.Weekday)
    /// In every n-th week, counted from the week of the date, but not before the date.
    case everyWeeks(Int, WeekdaySet, from: CalendarDate)
    case dates(ClosedRange<CalendarDate>)

    /// The date before which the rule does not apply; nil if there is none.
    var beginning: CalendarDate? {
        switch self {
        case .weekly, .monthly, .lastOfMonth: nil
        case .everyWeeks(_, _, let start): start
        case .dates(let dates): dates.lowerBound
        }
    }

    func contains(_ date: CalendarDate) -> Bool {
        switch self {
        case .weekly(let days): days.contains(date.weekday)
        case .monthly(let ordinal, let day): date.weekday == day && (date.day + 6) / 7 == ordinal
        case .lastOfMonth(let day): date.weekday == day && date.adding(days: 7).day <= 7
        case .everyWeeks(let step, let days, let start):
            date >= start && days.contains(date.weekday) && (date.week - start.week) % Int64(step) == 0
        case .dates(let dates): dates.contains(date)
        }
    }
}

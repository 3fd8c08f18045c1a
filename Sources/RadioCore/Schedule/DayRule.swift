// SPDX-License-Identifier: MIT

/// One rule of ``ShowDays``. A value.
enum DayRule: Hashable, Sendable {
    /// Every date on these weekdays.
    case weekdays(Set<CivilTime.Weekday>)
    /// The n-th of these weekdays in each month.
    case ofMonth(Ordinal, Set<CivilTime.Weekday>)
    /// These weekdays in every n-th week, counted from the week of a date, and on or after that date.
    case weeks(every: Int64, Set<CivilTime.Weekday>, from: CalendarDate)
    case dates(ClosedRange<CalendarDate>)

    enum Ordinal: Hashable, Sendable {
        /// From 1.
        case number(Int)
        case last
    }

    func contains(_ date: CalendarDate) -> Bool {
        switch self {
        case .weekdays(let weekdays): return weekdays.contains(date.weekday)
        case .ofMonth(.last, let weekdays): return weekdays.contains(date.weekday) && date.isLastOfItsWeekday
        case .ofMonth(.number(let number), let weekdays):
            return weekdays.contains(date.weekday) && (date.day - 1) / 7 + 1 == number
        case .weeks(let count, let weekdays, let first):
            let days = date.monday.dayNumber - first.monday.dayNumber
            return date >= first && weekdays.contains(date.weekday) && days / 7 % count == 0
        case .dates(let range): return range.contains(date)
        }
    }
}

// SPDX-License-Identifier: MIT

import RadioCore

/// Some days of the week.
struct WeekdaySet: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    static let weekdays = WeekdaySet(.monday, through: .friday)
    static let weekends = WeekdaySet(.saturday, through: .sunday)
    static let all = WeekdaySet(.monday, through: .sunday)

    init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    init(_ day: CivilTime.Weekday) {
        self.init(rawValue: 1 << day.rawValue)
    }

    /// The days from `first` through `last`, across the end of the week if `last` is earlier in the week.
    init(_ first: CivilTime.Weekday, through last: CivilTime.Weekday) {
        let count = (last.rawValue - first.rawValue + 7) % 7
        self = CivilTime.Weekday.allCases.reduce(into: []) { days, day in
            if (day.rawValue - first.rawValue + 7) % 7 <= count { days.insert(WeekdaySet(day)) }
        }
    }

    func contains(_ day: CivilTime.Weekday) -> Bool { contains(WeekdaySet(day)) }
}

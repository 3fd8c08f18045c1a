// SPDX-License-Identifier: MIT

package import Instants
import RadioCore

/// A zone with the legal clock changes from 1990 to 2040, some of them approximated.
package struct LawZone: TimeZoneRules {
    package let identifier: String
    private let first: Int
    /// The changes in order, each with its time in seconds since 1970 and the offset from then on.
    package let changes: [(at: Int64, offset: Int)]

    package func utcOffset(at instant: WallInstant) -> Int {
        let (quotient, rest) = instant.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        let second = rest < 0 ? quotient - 1 : quotient
        var (low, high) = (0, changes.count)
        while low < high {
            let middle = (low + high) / 2
            if changes[middle].at <= second { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? first : changes[low - 1].offset
    }

    /// Makes a zone with the offset `first` before its first change. `laws` returns the changes of a year: the date,
    /// the seconds from midnight UTC, and the offset after the change.
    private init(_ identifier: String, _ first: Int, _ laws: (Int) -> [(date: CalendarDate, time: Int, offset: Int)]) {
        self.identifier = identifier
        self.first = first
        changes = (1990...2040).flatMap(laws).map { ($0.date.dayNumber * 86_400 + Int64($0.time), $0.offset) }
            .sorted { $0.at < $1.at }
    }

    package static let berlin = LawZone("Europe/Berlin", 3600) { year in
        [
            (sunday(.last, of: 3, year), 3600, 7200),
            (sunday(.last, of: year < 1996 ? 9 : 10, year), 3600, 3600),
        ]
    }

    package static let newYork = LawZone("America/New_York", -18_000) { year in
        let (start, end) =
            year < 2007
            ? (sunday(.nth(1), of: 4, year), sunday(.last, of: 10, year))
            : (sunday(.nth(2), of: 3, year), sunday(.nth(1), of: 11, year))
        return [(start, 7 * 3600, -14_400), (end, 6 * 3600, -18_000)]
    }

    /// Summer time of half an hour: clocks go forward from 02:00 to 02:30, and back from 02:00 to 01:30.
    package static let lordHowe = LawZone("Australia/Lord_Howe", 39_600) { year in
        let (end, start) =
            year < 2008
            ? (sunday(.last, of: 3, year), sunday(.last, of: 10, year))
            : (sunday(.nth(1), of: 4, year), sunday(.nth(1), of: 10, year))
        return [(end, -9 * 3600, 37_800), (start, -17 * 1800, 39_600)]
    }

    /// Samoa crossed the date line by skipping 30 December 2011.
    package static let apia = LawZone("Pacific/Apia", -39_600) { year in
        switch year {
        case 2010: [(sunday(.last, of: 9, year), 11 * 3600, -36_000)]
        case 2011:
            [
                (date(year, 4, 2), 14 * 3600, -39_600), (date(year, 9, 24), 14 * 3600, -36_000),
                (date(year, 12, 30), 10 * 3600, 50_400),
            ]
        case 2012...2020:
            [(sunday(.nth(1), of: 4, year), -10 * 3600, 46_800), (sunday(.last, of: 9, year), -10 * 3600, 50_400)]
        case 2021: [(sunday(.nth(1), of: 4, year), -10 * 3600, 46_800)]
        default: []
        }
    }

    /// Winter time in a month that moves through the year, so that some years have four changes.
    package static let casablanca = LawZone("Africa/Casablanca", 3600) { year in
        // A lunar month has 29.53 days, a lunar year twelve months; one month began on 6 May 2019.
        (-40...40).flatMap { count in
            let start = date(2019, 5, 6).adding(days: count * 354 + count * 11 / 30)
            let from = start.adding(days: -(start.weekday.rawValue % 7))
            return [(from, 2 * 3600, 0), (from.adding(days: 35), 2 * 3600, 3600)].filter { $0.0.year == year }
        }
    }

    /// Summer time begins and ends at midnight.
    package static let saoPaulo = LawZone("America/Sao_Paulo", -10_800) { year in
        guard year < 2019 else { return [] }
        return [(sunday(.nth(3), of: 2, year), 2 * 3600, -10_800), (sunday(.nth(1), of: 11, year), 3 * 3600, -7200)]
    }

    /// Clocks go forward from 23:30 to 00:30, and back from 00:30 to 23:30, as they once did in Toronto.
    package static let acrossMidnight = LawZone("Across/Midnight", -18_000) { year in
        [
            (sunday(.last, of: 3, year), 4 * 3600 + 1800, -14_400),
            (sunday(.last, of: 10, year), 4 * 3600 + 1800, -18_000),
        ]
    }

    package static let all = [berlin, newYork, lordHowe, apia, casablanca, saoPaulo, acrossMidnight]

    private enum Sunday {
        case nth(Int), last
    }

    private static func sunday(_ sunday: Sunday, of month: Int, _ year: Int) -> CalendarDate {
        switch sunday {
        case .nth(let number):
            let first = date(year, month, 1)
            return first.adding(days: 7 - first.weekday.rawValue + 7 * (number - 1))
        case .last:
            let end = month == 12 ? date(year + 1, 1, 1) : date(year, month + 1, 1)
            return end.adding(days: -end.weekday.rawValue)
        }
    }

    private static func date(_ year: Int, _ month: Int, _ day: Int) -> CalendarDate {
        // Only the constants above are passed, so the dates are valid.
        guard let date = CalendarDate(year: year, month: month, day: day) else { preconditionFailure("no date") }
        return date
    }
}

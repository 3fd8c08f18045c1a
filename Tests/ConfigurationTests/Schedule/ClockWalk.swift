// SPDX-License-Identifier: MIT

import Instants
import RadioCore

/// The oracle for schedules: walks through some days of a zone minute by minute.
struct ClockWalk {
    private let firstMinute: Int64
    /// For each local minute, in order, the first minute since 1970 at which clocks showed it or a later one.
    private var reached: [Int64] = []
    private var shownDays: Set<Int64> = []
    /// The dates whose airings lie entirely within the walk.
    let dates: [CalendarDate]

    /// Walks from `days` days before `second` to `days` days after it.
    init(_ zone: some TimeZoneRules, around second: Int64, days: Int64) {
        let start = second / 60 - days * 1440
        let end = second / 60 + days * 1440
        func local(_ minute: Int64) -> Int64 {
            minute + Int64(zone.utcOffset(at: WallInstant(nanoseconds: minute * 60_000_000_000)) / 60)
        }
        firstMinute = local(start)
        for minute in start...end {
            let shown = local(minute)
            shownDays.insert(Self.day(shown))
            while firstMinute + Int64(reached.count) <= shown { reached.append(minute) }
        }
        let last = Self.day(firstMinute + Int64(reached.count))
        dates = (Self.day(firstMinute) + 1..<last - 3).map(CalendarDate.init(dayNumber:))
    }

    /// The broadcast on a date, in minutes since 1970; `start` and `end` are minutes of the day.
    func broadcast(on date: CalendarDate, from start: Int, to end: Int) -> Range<Int64>? {
        guard shownDays.contains(date.dayNumber), let begin = instant(date.dayNumber, start) else { return nil }
        var day = date.dayNumber
        if end <= start {
            repeat { day += 1 } while !shownDays.contains(day)
        }
        guard let finish = instant(day, end), begin < finish else { return nil }
        return begin..<finish
    }

    private func instant(_ day: Int64, _ minute: Int) -> Int64? {
        let index = Int(day * 1440 + Int64(minute) - firstMinute)
        return reached.indices.contains(index) ? reached[index] : nil
    }

    private static func day(_ minute: Int64) -> Int64 { minute >= 0 ? minute / 1440 : (minute + 1) / 1440 - 1 }
}

// SPDX-License-Identifier: MIT

import Configuration
import Instants
import RadioCore

/// The expected outcome of a month's broadcasts, by simple arithmetic that shares no code with the daemon. Times are in
/// seconds since the month's beginning.
struct MonthOracle {
    /// 10 March 2026, 00:00 UTC, a Tuesday.
    static let start = WallInstant(nanoseconds: 1_773_100_800_000_000_000)
    private static let firstWeekday = 1
    /// The beginning of summer time in Berlin.
    private static let change = 1_774_746_000 - 1_773_100_800

    /// A show at a fixed local time.
    struct Slot {
        var station: String
        var id: String
        /// Monday is 0.
        var weekdays: Set<Int> = [0, 1, 2, 3, 4, 5, 6]
        var hour: Int
        var minute: Int
        /// In seconds.
        var length: Int
        /// Seconds before and after the broadcast.
        var margin = 0
        var isInBerlin = false
        var keep = RetentionRule()

        /// The start, as in `07:10`.
        var time: String { [hour, minute].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":") }
    }

    struct Broadcast: Hashable {
        var station: String
        var show: String
        var day: Int
        /// The time that must be recorded.
        var window: Range<Int>
        var keep: RetentionRule

        var name: String { "\(show) on day \(day)" }
    }

    static let slots = [
        Slot(station: "a", id: "count", hour: 7, minute: 10, length: 90, keep: RetentionRule(last: 4)),
        Slot(station: "b", id: "age", hour: 8, minute: 20, length: 60, isInBerlin: true, keep: RetentionRule(days: 3)),
        Slot(
            station: "c", id: "week", weekdays: [0, 1, 2, 3, 4], hour: 12, minute: 30, length: 60,
            keep: RetentionRule(bytes: 5 * 60 * 4_000 + 100_000)),
        Slot(station: "c", id: "saturday", weekdays: [5], hour: 12, minute: 30, length: 60, isInBerlin: true),
        // Two shows that overlap, and share a connection.
        Slot(
            station: "d", id: "first", hour: 23, minute: 10, length: 90, isInBerlin: true,
            keep: RetentionRule(last: 2)),
        Slot(
            station: "d", id: "second", hour: 23, minute: 11, length: 90, isInBerlin: true,
            keep: RetentionRule(last: 3)),
        Slot(station: "e", id: "margins", hour: 20, minute: 5, length: 30, margin: 30),
        // On the day of the change, clocks in Berlin never show this time.
        Slot(station: "f", id: "night", hour: 2, minute: 40, length: 60, isInBerlin: true),
    ]

    /// The time of day at which everything is compared, because no show is on.
    static let look = 4 * 3_600
    static let days = 30

    /// All broadcasts, in the order of their ends.
    static let broadcasts: [Broadcast] = (0...days).flatMap { day in
        slots.filter { $0.weekdays.contains((firstWeekday + day) % 7) }.map { slot in
            let local = day * 86_400 + slot.hour * 3_600 + slot.minute * 60
            let start = slot.isInBerlin ? fromBerlin(local) : local
            return Broadcast(
                station: slot.station, show: slot.id, day: day,
                window: start - slot.margin..<start + slot.length + slot.margin, keep: slot.keep)
        }
    }.sorted { $0.window.upperBound < $1.window.upperBound }

    static func date(ofDay day: Int) -> CalendarDate {
        CalendarDate(CivilTime(start + .seconds(day * 86_400), utcOffset: 0))
    }

    private static func fromBerlin(_ local: Int) -> Int {
        if local - 3_600 < change { return local - 3_600 }
        // A local time that is skipped stands for the first instant after it.
        return max(change, local - 7_200)
    }

    /// The broadcasts whose files must be on the disk at a given time. `recorded`: the broadcasts of which anything was
    /// recorded.
    static func kept(at now: Int, of recorded: [Broadcast], protected: Set<Broadcast>) -> Set<Broadcast> {
        Set(
            recorded.filter { broadcast in
                let newer = recorded.filter {
                    $0.show == broadcast.show && $0.window.upperBound > broadcast.window.upperBound
                }
                let age = Double(now - broadcast.window.upperBound) / 86_400
                let size = (newer + [broadcast]).reduce(0) { $0 + $1.window.count * 4_000 }
                return protected.contains(broadcast)
                    || broadcast.keep.days.map { age <= Double($0) } ?? true
                        && broadcast.keep.last.map { newer.count < $0 } ?? true
                        && broadcast.keep.bytes.map { size <= $0 } ?? true
            })
    }
}

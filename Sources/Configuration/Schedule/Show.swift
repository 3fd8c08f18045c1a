// SPDX-License-Identifier: MIT

package import RadioCore

/// A scheduled programme of a station.
package struct Show: Hashable, Sendable {
    /// When the broadcast ends.
    package enum End: Hashable, Sendable {
        /// The broadcast ends when this much time has elapsed since its start.
        case length(Duration)
        /// The broadcast ends when clocks of the show's zone next show this time of day: on the same day if it is later
        /// than the start, else on the next day.
        case time(TimeOfDay)
    }

    /// The show's ID, unique within the station.
    package var id: String
    /// The show's name for people, file names and tags.
    package var name: String
    package var days: ShowDays
    package var start: TimeOfDay
    /// Further times of day at which the show begins. With these, ``end`` must be a length.
    package var furtherStarts: [TimeOfDay] = []
    package var end: End
    /// The IANA name of the zone of all dates and times here.
    package var zone: String
    /// How much earlier than the broadcast the recording begins, and how much later it ends. Negative counts as zero.
    package var early = Duration.zero
    package var late = Duration.zero
    /// The first and the last date on which the show may be on; nil for no limit.
    package var validFrom: CalendarDate?
    package var validUntil: CalendarDate?
    /// Dates on which the show is not on, whatever ``days`` says.
    package var skipped: Set<CalendarDate> = []
    /// Dates on which the show begins at another time, and is as long as always. On such a date the show is on once,
    /// whatever ``days`` says.
    package private(set) var moved: [CalendarDate: TimeOfDay] = [:]
    /// If not all shows can be recorded, the shows with the highest priority are recorded.
    package var priority = 0

    package init(id: String, name: String, days: ShowDays, start: TimeOfDay, end: End, zone: String) {
        self.id = id
        self.name = name
        self.days = days
        self.start = start
        self.end = end
        self.zone = zone
    }

    /// Changes a single date: the show begins at another time; if `start` is nil, it is not on.
    package mutating func change(_ date: CalendarDate, to start: TimeOfDay?) {
        moved[date] = start
        if start == nil { skipped.insert(date) } else { skipped.remove(date) }
    }

    /// Whether the show is on at a date.
    package func isOn(_ date: CalendarDate) -> Bool {
        guard !skipped.contains(date) else { return false }
        if moved[date] != nil { return true }
        let isValid = (validFrom ?? date) <= date && date <= (validUntil ?? date)
        return isValid && days.contains(date)
    }

    /// Whether the show is on at any date from `first` on.
    package func isOnAgain(from first: CalendarDate) -> Bool {
        if moved.keys.contains(where: { $0 >= first }) { return true }
        return ([max(first, validFrom ?? first)] + days.beginnings).contains { start in
            (0..<Self.longestPause).contains { pause in
                let date = start.adding(days: pause)
                return date >= first && isOn(date)
            }
        }
    }

    /// In this many days, a show that is on regularly is on at least once, unless those days are all skipped.
    private static let longestPause = 800
}

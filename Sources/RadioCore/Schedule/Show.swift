// SPDX-License-Identifier: MIT

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
}

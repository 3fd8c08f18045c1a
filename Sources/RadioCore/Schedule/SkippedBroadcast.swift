// SPDX-License-Identifier: MIT

/// A broadcast that a user does not want to be recorded, or not any further.
package struct SkippedBroadcast: Hashable, Sendable {
    /// The ID of the station.
    package var station: String
    /// The ID of the show.
    package var show: String
    package var date: CalendarDate
    /// The time of the one broadcast, as in ``Airing/time``; nil for the first one of the date.
    package var time: TimeOfDay?

    package init(station: String, show: String, date: CalendarDate, time: TimeOfDay? = nil) {
        self.station = station
        self.show = show
        self.date = date
        self.time = time
    }
}

// SPDX-License-Identifier: MIT

package import Instants

/// One broadcast of a show.
package struct Airing: Hashable, Sendable {
    /// The ``Show/id``.
    package var show: String
    /// The local date on which it starts, in the show's zone.
    package var date: CalendarDate
    /// When it is on air.
    package var broadcast: Range<WallInstant>
    /// What is recorded: the broadcast with its early start and late end.
    package var recording: Range<WallInstant>

    package init(show: String, date: CalendarDate, broadcast: Range<WallInstant>, recording: Range<WallInstant>) {
        self.show = show
        self.date = date
        self.broadcast = broadcast
        self.recording = recording
    }
}

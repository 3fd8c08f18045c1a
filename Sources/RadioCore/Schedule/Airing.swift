// SPDX-License-Identifier: MIT

package import Instants

/// One broadcast of a show.
package struct Airing: Hashable, Sendable {
    /// The ``Show/id``.
    package var show: String
    /// The local date on which the broadcast starts, in the show's zone.
    package var date: CalendarDate
    /// When the show is on air.
    package var broadcast: Range<WallInstant>
    /// The span in which the show is recorded: the broadcast, with an early start and a late end.
    package var recording: Range<WallInstant>

    package init(show: String, date: CalendarDate, broadcast: Range<WallInstant>, recording: Range<WallInstant>) {
        self.show = show
        self.date = date
        self.broadcast = broadcast
        self.recording = recording
    }
}

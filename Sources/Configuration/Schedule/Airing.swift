// SPDX-License-Identifier: MIT

package import Instants
package import RadioCore

/// One broadcast of a show.
package struct Airing: Hashable, Sendable {
    /// The ``Show/id``.
    package var show: String
    /// The local date on which the broadcast starts, in the show's zone.
    package var date: CalendarDate
    /// The time of day at which the broadcast starts, if it is not the first one of a show that is on several times a
    /// day; nil otherwise. Date and time together tell the broadcasts of a show apart.
    package var time: TimeOfDay?
    /// When the show is on air.
    package var broadcast: Range<WallInstant>
    /// The span in which the show is recorded: the broadcast, with an early start and a late end.
    package var recording: Range<WallInstant>
}

// SPDX-License-Identifier: MIT

package import Configuration
package import Instants

/// A broadcast of a show of a station.
package struct ShowAiring: Hashable, Sendable {
    /// The ID of the station.
    package var station: String
    package var show: Show
    package var airing: Airing

    package var key: UseKey { UseKey(station, .airing(show: show.id, date: airing.date, time: airing.time)) }

    /// The span of air time that is recorded.
    package var window: Range<WallInstant> { airing.recording }
}

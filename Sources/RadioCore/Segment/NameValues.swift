// SPDX-License-Identifier: MIT

import Instants

/// What a ``NameTemplate`` is filled with.
package struct NameValues: Hashable, Sendable {
    package var station: String
    /// The title alone, without its artist; nil or empty where the station names none.
    package var title: String?
    package var artist: String?
    /// Number of the segment in its recording, from 1.
    package var sequence: Int
    /// When the segment begins, on the clocks of the zone that names are written in.
    package var time: CivilTime

    package init(station: String, title: String?, artist: String?, sequence: Int, time: CivilTime) {
        self.station = station
        self.title = title
        self.artist = artist
        self.sequence = sequence
        self.time = time
    }

    /// The values of a planned segment: its title is split into artist and title.
    package init(station: String, plan: SegmentPlan, zone: any TimeZoneRules) {
        let split = plan.title.map(SplitTitle.init)
        self.init(
            station: station, title: split?.title, artist: split?.artist, sequence: plan.sequence,
            time: CivilTime(plan.nameTime, in: zone))
    }
}

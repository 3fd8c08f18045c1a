// SPDX-License-Identifier: MIT

/// The values that fill a ``NameTemplate``.
package struct NameValues: Hashable, Sendable {
    package var station: String
    /// The show's name; nil if there is none.
    package var show: String?
    /// The title without its artist; nil or empty if the station states none.
    package var title: String?
    package var artist: String?
    /// The number of the segment in its recording, from 1.
    package var sequence: Int
    /// The start of the segment, in the time zone of the names.
    package var time: CivilTime

    package init(station: String, title: String?, artist: String?, sequence: Int, time: CivilTime) {
        self.station = station
        self.title = title
        self.artist = artist
        self.sequence = sequence
        self.time = time
    }

    /// Creates the values of a planned segment, whose title is split into artist and title.
    package init(station: String, show: String? = nil, plan: SegmentPlan, zone: any TimeZoneRules) {
        let split = plan.title.map(SplitTitle.init)
        self.init(
            station: station, title: split?.title, artist: split?.artist, sequence: plan.sequence,
            time: CivilTime(plan.nameTime, in: zone))
        self.show = show
    }
}

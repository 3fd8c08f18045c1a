// SPDX-License-Identifier: MIT

package import Instants
package import RadioCore

/// An event of which hooks are notified.
///
/// Names and causes may come from strangers, such as a station's server. They are cleaned and shortened where they are
/// shown.
package struct HookEvent: Hashable, Sendable {
    package var name: EventName
    /// The time of the event, in the zone in which people read it.
    package var at: CivilTime
    /// The station's ID; nil for events that concern the machine.
    package var station: String?
    package var stationName: String?
    /// The show's ID.
    package var show: String?
    package var showName: String?
    /// The date of the broadcast, or of the beginning of a gap, in the same zone.
    package var date: CalendarDate?
    /// The span that was to be recorded, or the gap; the end of a gap of unknown length is nil.
    package var from: CivilTime?
    package var until: CivilTime?
    /// The parts of that span that are missing.
    package var missing: [MissingPart] = []
    /// The ID of the recording that the event is about; nil if it is about several recordings.
    package var recording: String?
    /// The IDs of the recordings of a show, or of a manual recording, that is incomplete. There are several if the
    /// daemon was restarted, because each run begins a recording of its own.
    package var recordings: [String] = []
    /// The absolute paths of the files that the event is about. In a gap, these are the files that have it.
    package var files: [String] = []
    /// A duration in seconds: the length of the recording, the length of what is missing, or how long the station was
    /// down.
    package var seconds: Double?
    /// A size in bytes: the size of a recording, or for `diskLow` the free space.
    package var bytes: Int64?
    /// The number of gaps in a recording, or merged in this event; nil for a single gap.
    package var gaps: Int?
    /// Whether a finished file had been left unfinished by an earlier run of the daemon.
    package var isRecovered = false
    /// Why the event happened, in words.
    package var cause: String?
    /// How many entries the lists of an event that was read from JSON lack, by the names of the lists in JSON.
    var leftOut: [String: Int] = [:]
    /// Whether the event is made up, to try a hook.
    package var isTrial = false

    /// A part of a recording that is missing.
    package struct MissingPart: Hashable, Sendable {
        package var from: CivilTime
        package var until: CivilTime

        package init(from: CivilTime, until: CivilTime) {
            (self.from, self.until) = (from, until)
        }
    }

    package init(_ name: EventName, at instant: WallInstant, in zone: any TimeZoneRules) {
        self.name = name
        at = CivilTime(instant, in: zone)
    }
}

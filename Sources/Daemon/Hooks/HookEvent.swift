// SPDX-License-Identifier: MIT

package import Configuration
package import Instants
package import RadioCore

/// An event that hooks are told of. A value.
///
/// Names and causes may come from strangers, such as a station's server; they are cleaned and cut where they are shown.
package struct HookEvent: Hashable, Sendable {
    package var kind: HookSettings.Event
    /// The time of the event, in the zone in which people read it.
    package var at: CivilTime
    /// The station's ID; nil for events of the machine.
    package var station: String?
    package var stationName: String?
    /// The show's ID.
    package var show: String?
    package var showName: String?
    /// The ID of the recording that the event is about; nil for one about several.
    package var recording: String?
    /// The IDs of the recordings of a show, or of a manual recording, that is incomplete: a daemon that was started again
    /// begins another one.
    package var recordings: [String] = []
    /// The absolute paths of the files.
    package var files: [String] = []
    /// The length of a recording, or of what is missing.
    package var seconds: Double?
    /// The size of a recording, or for `diskLow` what is still free.
    package var bytes: Int64?
    /// The number of gaps of a recording, or of those that one event tells of; nil for a single one.
    package var gaps: Int?
    /// Why it happened, in words.
    package var cause: String?

    package init(_ kind: HookSettings.Event, at instant: WallInstant, in zone: any TimeZoneRules) {
        self.kind = kind
        at = CivilTime(instant, in: zone)
    }
}

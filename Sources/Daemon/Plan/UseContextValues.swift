// SPDX-License-Identifier: MIT

package import RadioCore

/// The values that uses need in addition to their plans.
package struct UseContextValues: Sendable {
    /// The time zone of file names, of segment boundaries and of sidecars, unless a show has another.
    package var zone: any TimeZoneRules
    /// The rules of a zone by its name, for zones that were not loaded with the configuration.
    package var zones: ShowCalendar.Zones
    /// The program's name in tags.
    package var software: String
    /// Makes the ID of a recording.
    package var recordingID: @Sendable () -> String

    package init(
        zone: any TimeZoneRules, zones: @escaping ShowCalendar.Zones, software: String,
        recordingID: @escaping @Sendable () -> String
    ) {
        self.zone = zone
        self.zones = zones
        self.software = software
        self.recordingID = recordingID
    }
}

// SPDX-License-Identifier: MIT

package import RadioCore
package import Storage

/// The settings of a recording.
package struct RecorderSettings: Sendable {
    /// The recording's ID in its sidecars; must be unique among recordings that are collected together.
    package var recording: String
    /// The ID of the recording that this one continues; nil if there is none.
    package var continues: String?
    /// The station's name in file names and tags; nil for the name that the station sends.
    package var station: String?
    /// The ID of the station in a configuration, for sidecars.
    package var stationID: String?
    /// The show that is recorded, for names and sidecars.
    package var show: Sidecar.Show?
    /// Whether the recording is protected from retention from its beginning on.
    package var isProtected = false
    package var policy = SegmentPolicy.standard
    /// The template of file names; nil for the default template, which depends on ``policy`` and ``show``. Only names
    /// by the default template say which songs are incomplete.
    package var name: NameTemplate?
    /// The time zone of periods, names and sidecars.
    package var zone: any TimeZoneRules
    /// The shift of all titles; negative for earlier.
    package var titleOffset = Duration.zero
    /// Whether to write just the station's frames, without a tag or Info frame.
    package var isPure = false
    package var writesSidecars = true
    /// The space that is kept free on the disk.
    package var floor = FreeSpaceFloor.none
    /// The program's name in tags.
    package var software = "Aircheck"

    /// The template that applies.
    package var template: NameTemplate { name ?? .standard(for: policy, ofShow: show != nil) }

    package init(recording: String, zone: any TimeZoneRules) {
        self.recording = recording
        self.zone = zone
    }
}

// SPDX-License-Identifier: MIT

package import RadioCore

/// How a recording is to be made.
package struct RecorderSettings: Sendable {
    /// Names the recording in its sidecars; unique for whoever collects them.
    package var recording: String
    /// The station's name in file names and tags; nil takes what the station calls itself.
    package var station: String?
    package var policy = SegmentPolicy.standard
    package var name = NameTemplate.standard
    /// The zone that periods, names and sidecars count in.
    package var zone: any TimeZoneRules
    /// By how much titles are moved: later, or earlier where it is negative.
    package var titleOffset = Duration.zero
    /// Nothing but the station's frames: no tag, no Info frame.
    package var isPure = false
    package var writesSidecars = true
    /// What tags name as the program.
    package var software = "Aircheck"

    package init(recording: String, zone: any TimeZoneRules) {
        self.recording = recording
        self.zone = zone
    }
}

// SPDX-License-Identifier: MIT

/// The name of an event of which hooks may be notified: a hook's `on` may have it, `/metrics` counts it, and in words
/// it is the name of an occurrence.
package struct EventName: RawRepresentable, Hashable, Sendable {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    /// The name as words, such as `sound back`.
    package var words: String { rawValue.replacing("-", with: " ") }
}

/// The events of the daemon itself. Those of an ``Addition`` are in its file.
extension EventName {
    package static let recordingStarted = Self(rawValue: "recording-started")
    package static let recordingFinished = Self(rawValue: "recording-finished")
    package static let fileFinished = Self(rawValue: "file-finished")
    package static let recordingIncomplete = Self(rawValue: "recording-incomplete")
    package static let showComplete = Self(rawValue: "show-complete")
    package static let showMissed = Self(rawValue: "show-missed")
    package static let gap = Self(rawValue: "gap")
    package static let stationDown = Self(rawValue: "station-down")
    package static let stationBack = Self(rawValue: "station-back")
    package static let diskLow = Self(rawValue: "disk-low")
    package static let diskFailing = Self(rawValue: "disk-failing")
    package static let diskWell = Self(rawValue: "disk-well")

    /// All events, in the order in which they are listed.
    package static let all =
        [
            recordingStarted, recordingFinished, fileFinished, recordingIncomplete, showComplete, showMissed, gap,
            stationDown, stationBack,
        ] + Daemon.additions.flatMap { $0.events } + [diskLow, diskFailing, diskWell]
}

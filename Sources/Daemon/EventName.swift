// SPDX-License-Identifier: MIT

/// The name of an event of which hooks may be notified: a hook's `on` may have it, `/metrics` counts it, and in words
/// it is the name of an occurrence.
package struct EventName: Hashable, Sendable {
    package let rawValue: String
    /// Whether it is good news.
    package let isGood: Bool

    package init(_ rawValue: String, isGood: Bool = false) {
        (self.rawValue, self.isGood) = (rawValue, isGood)
    }

    /// The event that has this name; nil if there is none.
    package init?(known rawValue: String) {
        guard let event = Self.all.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = event
    }

    /// The name as words, such as `sound back`.
    package var words: String { rawValue.replacing("-", with: " ") }
}

/// The events of the daemon itself. Those of an ``Addition`` are in its file.
extension EventName {
    package static let recordingStarted = Self("recording-started")
    package static let recordingFinished = Self("recording-finished", isGood: true)
    package static let fileFinished = Self("file-finished", isGood: true)
    package static let recordingHealed = Self("recording-healed", isGood: true)
    package static let recordingIncomplete = Self("recording-incomplete")
    package static let showComplete = Self("show-complete", isGood: true)
    package static let showMissed = Self("show-missed")
    package static let gap = Self("gap")
    package static let stationDown = Self("station-down")
    package static let stationBack = Self("station-back", isGood: true)
    package static let diskLow = Self("disk-low")
    package static let diskFailing = Self("disk-failing")
    package static let diskWell = Self("disk-well", isGood: true)

    /// All events, in the order in which they are listed.
    package static let all =
        [
            recordingStarted, recordingFinished, fileFinished, recordingIncomplete, showComplete, showMissed, gap,
            recordingHealed, stationDown, stationBack,
        ] + Daemon.additions.flatMap { $0.events } + [diskLow, diskFailing, diskWell]
}

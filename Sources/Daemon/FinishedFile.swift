// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats
import Recorder
import Storage

/// A finished file of a recording.
package struct FinishedFile: Hashable, Sendable {
    /// The absolute path.
    package var path: String
    /// The ID of the recording.
    package var recording: String?
    /// The ID of the station.
    package var station: String?
    /// The ID of the show; nil if there is none.
    package var show: String?
    /// The names that the sidecar of a recovered file states. The configuration may lack the station or the show by
    /// now.
    package var stationName: String?
    package var showName: String?
    /// Seconds of audio.
    package var seconds: Double
    /// Bytes of frames.
    package var bytes: Int64
    /// Whether an earlier run had left the file unfinished.
    package var isRecovered = false

    init(_ segment: RecordedSegment, of recording: String, _ key: UseKey) {
        (path, seconds, bytes) = (segment.path, segment.seconds, segment.bytes)
        (self.recording, station, show) = (recording, key.station, key.broadcast?.show)
    }

    /// Nil if the file was not completed.
    init?(_ file: RecoveredFile) {
        guard file.outcome == .completed else { return nil }
        (path, seconds, bytes, isRecovered) = (file.path, file.seconds, file.bytes, true)
        if let origin = file.origin { note(origin) }
    }

    /// The file that a sidecar describes.
    init(_ sidecar: Sidecar, path: String) {
        (self.path, bytes) = (path, sidecar.bytes)
        seconds = Double(sidecar.samples) / Double(max(1, sidecar.format.sampleRate))
        note(RecoveredFile.Origin(sidecar))
    }

    private mutating func note(_ origin: RecoveredFile.Origin) {
        (recording, station, show) = (origin.recording, origin.station, origin.show)
        (stationName, showName) = (origin.stationName, origin.showName)
    }
}

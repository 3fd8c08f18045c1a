// SPDX-License-Identifier: MIT

package import RadioCore

/// A file that an earlier run left as `.part`, and the outcome of its recovery.
package struct RecoveredFile: Hashable, Sendable {
    package enum Outcome: Hashable, Sendable {
        /// Truncated after its last whole frame, completed, and given its final name.
        case completed
        /// Removed, because it had no frame and no foreign content.
        case removed
        /// Left as it is.
        case failed(StorageError)
    }

    /// The file's present path.
    package var path: String
    package var frames: Int64
    /// Bytes of frames, without tags.
    package var bytes: Int64
    package var seconds: Double
    package var outcome: Outcome
    /// Why a completed file has its former head and end: its disk takes data only at the end of a file.
    package var unpatched: StorageError?
    /// What the file's sidecar or mark says it belongs to; nil if it had none.
    package var origin: Origin?

    /// The recording that a file belongs to.
    package struct Origin: Hashable, Sendable {
        /// IDs; nil if there is none.
        package var recording: String?
        package var station: String?
        package var show: String?
        /// The user's or the station's own name for the station.
        package var stationName: String?
        package var showName: String?

        package init(_ sidecar: Sidecar) {
            (recording, station, show) = (sidecar.recording, sidecar.stationID, sidecar.show?.id)
            (stationName, showName) = (sidecar.station, sidecar.show?.name)
        }
    }

    package init(path: String, frames: Int64 = 0, bytes: Int64 = 0, seconds: Double = 0, outcome: Outcome) {
        self.path = path
        self.frames = frames
        self.bytes = bytes
        self.seconds = seconds
        self.outcome = outcome
    }
}

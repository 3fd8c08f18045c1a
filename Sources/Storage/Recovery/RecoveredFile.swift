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
    package var frames: Int64 = 0
    /// Bytes of frames, without tags.
    package var bytes: Int64 = 0
    package var seconds: Double = 0
    package var outcome: Outcome
    /// Why a completed file has its former head and end: its disk takes data only at the end of a file.
    package var unpatched: StorageError?
    /// Whether the file was complete before, and only got more audio.
    package var isRevised = false
    /// What is known of a completed file; nil in a report, which would keep it for long.
    package var sidecar: Sidecar?

    /// The completed file; nil if it was not completed.
    package var bundle: FinishedBundle? {
        guard outcome == .completed else { return nil }
        return sidecar.map { FinishedBundle(path: path, sidecar: $0, isRecovered: true, isRevised: isRevised) }
    }
}

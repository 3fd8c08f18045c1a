// SPDX-License-Identifier: MIT

package import Instants
package import RadioCore
package import Storage

/// An event of a running recorder. Each but ``rewritten(path:)`` and ``revised(_:_:)`` is worth a log line.
package enum RecorderNotice: Sendable {
    /// A file was begun. `path` is its final path, and `at` the air time of its first frame.
    case began(path: String, at: WallInstant)
    case finished(RecordedSegment, FinishedBundle)
    /// Found audio was put into a file that is complete.
    case healed(HealedAudio)
    /// A finished file has changed, because audio was put into it.
    case revised(RecordedSegment, FinishedBundle)
    /// The sidecar of a finished file was rewritten, because something became known late: a gap, or the next file.
    case rewritten(path: String)
    /// A file left by an earlier run was completed.
    case recovered(RecoveredFile)
    /// Nothing can be written. Writing is retried until the recorder is stopped. If the disk hangs, audio is lost only
    /// once the queue is full.
    case failing(StorageError)
    /// The disk accepts data again.
    case resumed
    /// Audio was lost, because it could not be written and the queue was full.
    case lost(Sidecar.Gap)
    /// A gap before the first frame was entered, as requested. It says nothing about the station or the disk now.
    case missingBefore(Sidecar.Gap)
    /// A file accepts no more data, and the next file continues the audio.
    case cut(path: String, StorageError)
    /// A file could not be completed and remains a part file, at this path.
    case leftBehind(path: String, StorageError)
    /// The audio of a file is complete, but its sidecar was not written, or the file's name may not survive a power
    /// cut.
    case flawed(StorageError)
    /// Found audio could not be put into its file, which is as it was.
    case notHealed(StorageError)
    /// Segments by title were requested, but the station sends no titles.
    case noTitles

    /// The bundle that is finished, by this recording or by the recovery of what an earlier run left.
    package var bundle: FinishedBundle? {
        switch self {
        case .finished(_, let bundle), .revised(_, let bundle): bundle
        case .recovered(let file): file.bundle
        default: nil
        }
    }
}

// SPDX-License-Identifier: MIT

package import RadioCore
package import Storage

/// What a recorder has to say while it runs, for a log line each.
package enum RecorderNotice: Sendable {
    /// A file was begun; the path is the one that it is going to have.
    case began(path: String)
    case finished(RecordedSegment)
    /// Completed what an earlier run had left behind.
    case recovered(RecoveredFile)
    /// Nothing can be written. It is tried again until somebody stops the recorder.
    case failing(StorageError)
    /// The disk takes data again.
    case resumed
    /// Audio was lost, as it could not be written and the queue was full.
    case lost(Sidecar.Gap)
    /// A file takes no more, and the next one goes on.
    case cut(path: String, StorageError)
    /// A file could not be completed and stays as it is, a part; the path is the one that it has.
    case leftBehind(path: String, StorageError)
    /// The audio is complete, something beside it is not.
    case flawed(StorageError)
    /// Segments by title were asked for, and the station names none.
    case noTitles
}

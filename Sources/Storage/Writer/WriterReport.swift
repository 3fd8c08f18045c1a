// SPDX-License-Identifier: MIT

/// Identifies a file of a ``SegmentWriter``; never reused in a process.
package struct FileID: Hashable, Sendable {
    let client: Int
    let number: Int
}

/// A report of the writer's thread. Reports arrive on that thread, in order.
package enum WriterReport: Sendable {
    /// The file exists, and will have this path unless the name is taken before it is complete.
    case opened(FileID, expectedPath: String)
    /// The file accepts no more data. Its contents are whole; further data waits in the queue for
    /// ``SegmentWriter/resume(_:_:in:)``, which must be called. A pending close is dropped.
    case cut(FileID, FileFacts, StorageError)
    /// The file is complete and has its final name. `problem`: why that name may not survive a power cut.
    case finished(FileID, FileFacts, problem: StorageError?)
    /// The file was closed before any data arrived, and has been removed.
    case discarded(FileID)
    /// The file could not be completed and remains a `.part`, which the next start completes. If the facts count no
    /// frames, the file was never created, or was removed; `lost` counts the frames that are in no file.
    case abandoned(FileID, FileFacts, lost: Int64, StorageError)
    /// Nothing can be written now. Writing is retried repeatedly. Reported once for each cause.
    case failing(StorageError)
    /// After a failure, data has been written again.
    case resumed
    /// The sidecar of a finished file was written once more; `path` is the path of the audio.
    case sidecarRewritten(path: String)
    /// A sidecar could not be written, which does not affect the audio. Writing it is retried repeatedly. Reported once
    /// for each cause.
    case sidecarFailed(FileID, StorageError)
    /// The file has been lent, as ``SegmentWriter/lend(_:)`` asked. If it is not ready, its last sidecar is not on the
    /// disk, or it is unknown.
    case lent(FileID, isReady: Bool)
    /// What was found for the file lies in its companion (``Companion/found``), at this range.
    case copied(FileID, Range<Int64>)
    /// A source that was to pause may continue.
    case drained
    /// Files that an earlier run left behind.
    case recovered([RecoveredFile])
    /// All files that earlier runs had left behind are dealt with.
    case recoveryEnded
    /// The last report, after ``SegmentWriter/detach()``.
    case detached
}

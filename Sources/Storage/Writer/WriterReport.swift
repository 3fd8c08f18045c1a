// SPDX-License-Identifier: MIT

/// Names one file of one ``SegmentWriter``; never used twice in a process.
package struct FileID: Hashable, Sendable {
    let client: Int
    let number: Int
}

/// What the writer's thread has to say. Comes on that thread, in order.
package enum WriterReport: Sendable {
    /// The file is there, and will have the path unless somebody takes the name before it is complete.
    case opened(FileID, expectedPath: String)
    /// The file takes no more. What is in it is whole; what was to follow waits in the queue for
    /// ``SegmentWriter/resume(_:_:in:)``, which must be called. A close that was under way is forgotten.
    case cut(FileID, FileFacts, StorageError)
    /// The file is complete and has its final name. The error is about what came after (folder, sidecar).
    case finished(FileID, FileFacts, problem: StorageError?)
    /// The file was closed before any data came, and has been removed.
    case discarded(FileID)
    /// The file could not be completed and stays a `.part`, which the next start completes; or, where it has no frames,
    /// it never came to be, or somebody removed it, and `lost` of its frames with it.
    case abandoned(FileID, FileFacts, lost: Int64, StorageError)
    /// Nothing can be written now; it is tried again and again. Said once for each cause.
    case failing(StorageError)
    /// Data has been written again.
    case resumed
    /// A sidecar could not be written; the audio is not concerned. It is tried again and again. Said once for each
    /// cause.
    case sidecarFailed(FileID, StorageError)
    /// The queue was above the high-water mark and is below the low one.
    case drained
    /// Files that an earlier run left behind.
    case recovered([RecoveredFile])
    /// The last report: after ``SegmentWriter/detach()`` or ``SegmentWriter/giveUp()``.
    case detached
}

// SPDX-License-Identifier: MIT

/// Limits on how long data may wait, and on its amount.
package struct WriterLimits: Hashable, Sendable {
    /// The minimum interval between writes, and thus the maximum wait of data. Of the one second promised, five sixths
    /// are used for gathering in the kernel (`GatheringSize`), and 50 ms for coalescing (`SocketWatch.isCoalesced`).
    package var gather: Duration = .milliseconds(100)
    /// Data is synced at most this long after it was appended, …
    package var sync: Duration = .seconds(5)
    /// … or up to this much earlier, together with a write.
    package var syncSlack: Duration = .seconds(1)
    /// How often to retry a disk that cannot be written.
    package var retry: Duration = .seconds(2)
    /// How long after a folder was searched for unfinished files it is searched again by another recording.
    package var searchAgain: Duration = .seconds(86_400)
    /// A file with this many bytes of data is written without waiting for ``gather``.
    package var batch = 1 << 20
    /// With more open files than this, whole devices are synced.
    package var filesSyncedAlone = 8
    /// A client's queue is full once its oldest data has waited this long with nothing reaching the disk, …
    package var clientAge: Duration = .seconds(60)
    /// … or once it holds this many bytes …
    package var clientBytes = 32 << 20
    /// … or all queues together hold this many bytes.
    package var totalBytes = 256 << 20
    /// From this many bytes on, a source that can wait should pause, …
    package var highWater = 8 << 20
    /// … until there are at most this many.
    package var lowWater = 6 << 20

    package init() {}
}

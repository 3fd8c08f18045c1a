// SPDX-License-Identifier: MIT

/// How long data may wait and how much of it.
package struct WriterLimits: Hashable, Sendable {
    /// Writes are at least this far apart, so data waits for no longer. Of the second that is promised, five sixths go to
    /// gathering in the kernel (`GatheringSize`).
    package var gather: Duration = .milliseconds(150)
    /// Data is synced at most this long after it was appended, …
    package var sync: Duration = .seconds(5)
    /// … or earlier by this much, together with a write.
    package var syncSlack: Duration = .seconds(1)
    /// How often a disk that cannot be written is tried again.
    package var retry: Duration = .seconds(2)
    /// This number of bytes for one file is written without waiting for ``gather``.
    package var batch = 1 << 20
    /// More open files than this are synced all together.
    package var filesSyncedAlone = 8
    /// A client's queue takes no more once its oldest data has waited this long and nothing has reached the disk, …
    package var clientAge: Duration = .seconds(60)
    /// … or once it holds this number of bytes …
    package var clientBytes = 32 << 20
    /// … or all queues together hold this number of bytes.
    package var totalBytes = 256 << 20
    /// From this number of bytes on a source that can wait should wait, …
    package var highWater = 8 << 20
    /// … until there are no more than this number.
    package var lowWater = 6 << 20

    package init() {}
}

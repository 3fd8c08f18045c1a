// SPDX-License-Identifier: MIT

/// Limits on how long data may wait, and on its amount.
package struct WriterLimits: Hashable, Sendable {
    /// The minimum interval between writes, and thus the maximum wait of data. Of the promised maximum delay of one
    /// second, gathering in the kernel uses five sixths (`GatheringSize`), and coalescing 50 ms
    /// (`SocketWatch.isCoalesced`).
    package var gather: Duration = .milliseconds(100)
    /// The maximum time between appending data and syncing it.
    package var sync: Duration = .seconds(5)
    /// How much earlier than ``sync`` data may be synced, to do so in a turn that happens anyway.
    package var syncSlack: Duration = .seconds(1)
    /// The interval between attempts to write to a failing disk.
    package var retry: Duration = .seconds(2)
    /// How long new recordings rely on an earlier search of their folder for unfinished files.
    package var searchAgain: Duration = .seconds(86_400)
    /// A file with this many bytes of data is written without waiting for ``gather``.
    package var batch = 1 << 20
    /// If more files than this have unsynced data, whole devices are synced.
    package var filesSyncedAlone = 8
    /// A client's queue is full once data has waited in it this long while nothing reached the disk.
    package var clientAge: Duration = .seconds(60)
    /// The maximum number of bytes in one client's queue.
    package var clientBytes = 32 << 20
    /// The maximum number of bytes in all queues together.
    package var totalBytes = 256 << 20
    /// The number of queued bytes from which a source that can wait should pause.
    package var highWater = 8 << 20
    /// The number of queued bytes at which a paused source may continue.
    package var lowWater = 6 << 20
    /// A source that can wait should pause once this many files await their completion. Each takes several syncs, and a
    /// stop waits for all of them for five seconds.
    package var mostEndings = 8
    /// How long data has waited, while nothing reached the disk, when a source that can wait should pause.
    package var pauseAge: Duration = .seconds(30)

    package init() {}
}

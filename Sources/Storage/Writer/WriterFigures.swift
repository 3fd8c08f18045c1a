// SPDX-License-Identifier: MIT

/// The figures of the writer's thread, for metrics.
package struct WriterFigures: Hashable, Sendable {
    /// Bytes that are in no file yet.
    package var waitingBytes = 0
    /// How often data was synced to disk.
    package var syncs = 0
    /// The total time of all syncs.
    package var syncTime = Duration.zero
    /// The time of the longest sync.
    package var longestSync = Duration.zero

    package init() {}
}

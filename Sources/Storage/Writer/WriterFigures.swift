// SPDX-License-Identifier: MIT

/// What the writer's thread does, for metrics. A value.
package struct WriterFigures: Hashable, Sendable {
    /// Bytes that are in no file yet.
    package var waitingBytes = 0
    /// How often data was synced to disk.
    package var syncs = 0
    /// The time that took in all, and at most.
    package var syncTime = Duration.zero
    package var longestSync = Duration.zero

    package init() {}
}

// SPDX-License-Identifier: MIT

package import RadioCore
import RadioFormats

/// What retention has done, or would do.
package struct RetentionOutcome: Hashable, Sendable {
    package struct Deletion: Hashable, Sendable {
        package var recording: String
        /// The ID of the station; nil if it is of none that was configured.
        package var station: String?
        package var show: String?
        /// Below the recordings folder, without extensions.
        package var paths: [String]
        package var bytes: Int64
        /// Nil if somebody has asked for it.
        package var reason: RetentionReason?
        /// Why it was not deleted; nil if it was.
        package var refusal: String?

        package init(
            recording: String, station: String?, show: String?, paths: [String], bytes: Int64, reason: RetentionReason?
        ) {
            self.recording = recording
            self.station = station
            self.show = show
            self.paths = paths
            self.bytes = bytes
            self.reason = reason
        }
    }

    package var deletions: [Deletion] = []
    /// Whether another run should follow at once.
    var isUnfinished = false
    /// Whether the disk was not low before.
    var hasBecomeLow = false
    /// The free bytes of the disk before; nil if unknown.
    package var free: Int64?
    /// How many there should be.
    package var floor: Int64
    /// Why the disk cannot be measured, so that nothing is deleted; nil if it can be.
    package var problem: String?

    package init(free: Int64?, floor: Int64) {
        self.free = free
        self.floor = floor
    }

    /// The free bytes of the disk after the deletions; nil if unknown.
    package var freeAfterwards: Int64? {
        let freed = deletions.filter { $0.refusal == nil }.reduce(Int64(0)) { $0.addingSaturated($1.bytes) }
        return free.map { $0.addingSaturated(freed) }
    }

    /// Whether the disk is fuller than it should be, even with what was deleted.
    package var isLow: Bool { freeAfterwards.map { $0 < floor } ?? false }
}

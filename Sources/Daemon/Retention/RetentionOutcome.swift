// SPDX-License-Identifier: MIT

package import RadioCore
import RadioFormats
package import Storage

/// The deletions that a run of retention has made or would make, and the free space of the disk.
package struct RetentionOutcome: Hashable, Sendable {
    package struct Deletion: Hashable, Sendable {
        package var recording: String
        /// The ID of the station; nil if the recording was not made for a configured station.
        package var station: String?
        package var show: String?
        /// The paths of the files below the recordings folder, without extensions.
        package var paths: [String]
        /// Which files of the recording they are, as the catalog identifies them.
        package var files: [String] = []
        package var bytes: Int64
        /// Why retention chose the recording; nil if a user requested the deletion.
        package var reason: RetentionReason?
        /// Why the recording was not deleted; nil if it was.
        package var refusal: RecordingDeleter.Refusal?
    }

    /// Recordings that only changed rules delete, and that are not deleted yet.
    package struct Waiting: Hashable, Sendable {
        package var files: Int
        package var bytes: Int64
        /// When they are deleted, unless the rules are changed.
        package var until: CivilTime
        /// Whether the rules have just begun to wait.
        package var isNew = false
    }

    package var deletions: [Deletion] = []
    /// What changed rules delete later; nil if no rules wait.
    package var waiting: Waiting?
    /// Whether deleting everything that may be deleted would not free enough space, so that nothing is deleted for it.
    package var isOutOfReach = false
    /// Which rules may delete from now on; nil if the run did not get that far.
    var consent: RetentionConsent?
    /// Whether another run should follow soon: this run has deleted recordings, but it has reached its limit, or the
    /// disk is still low.
    var isUnfinished = false
    /// The free bytes of the disk before the deletions; nil if unknown.
    package var free: Int64?
    /// The number of free bytes below which the disk is low.
    package var floor: Int64
    /// Whether rules about age are not applied yet, because the clock is not trusted.
    package var ageHasToWait = false
    /// Why nothing was deleted: the disk cannot be measured, or it seems to be unmounted. Nil if there was no such
    /// problem.
    package var problem: String?

    /// The deletions that were not refused.
    package var gone: [Deletion] { deletions.filter { $0.refusal == nil } }

    /// The free bytes of the disk after the deletions; nil if unknown.
    package var freeAfterwards: Int64? { free.map { gone.reduce($0) { $0.addingSaturated($1.bytes) } } }

    /// Whether the disk is low even after the deletions.
    package var isLow: Bool { freeAfterwards.map { $0 < floor } ?? false }
}

/// Decides which outcomes people hear of.
struct RetentionNews {
    private var isDiskLow = false
    private var problem: String?

    /// Takes the outcome of a run, and says whether it tells more than the one before.
    mutating func isNew(_ outcome: RetentionOutcome) -> Bool {
        defer {
            problem = outcome.problem
            // A disk that cannot be measured may be as full as before.
            if problem == nil { isDiskLow = outcome.isLow }
        }
        guard outcome.problem == nil else { return outcome.problem != problem }
        return !outcome.deletions.isEmpty || outcome.isLow != isDiskLow || outcome.waiting?.isNew == true
    }
}

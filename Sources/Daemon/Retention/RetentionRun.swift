// SPDX-License-Identifier: MIT

import Catalog
import Configuration
import Glibc
import Instants
import Platform
import RadioCore
import Storage

/// One run of retention: decides what is deleted, and deletes it. ``perform(_:)`` blocks, on the catalog's thread.
struct RetentionRun: Sendable {
    let folder: String
    let state: String
    /// The number of bytes to keep free on the disk; nil if nothing is deleted to free space.
    let leastFree: Int64?
    let rules: RetentionRules
    /// The shows and manual recordings that are not over, whose recordings must not be deleted.
    let unfinished: UnfinishedRecordings
    /// The refusals of earlier runs, which are already in the ledger.
    let refusals: NotedRefusals
    let now: WallInstant
    let zone: any TimeZoneRules
    /// Whether to delete nothing, and only report what would be deleted.
    let isDryRun: Bool
    /// Measures the recordings' disk and deletes files on it.
    var system: any FileSystemCalls = LinuxFileSystem()

    func perform(_ store: CatalogStore) throws(CatalogError) -> RetentionOutcome {
        let disk: (free: Int64, isEmpty: Bool)
        var outcome = RetentionOutcome(free: nil, floor: leastFree ?? Self.floorToWarn)
        outcome.ageHasToWait = rules.ageHasToWait
        do throws(SystemError) { disk = try measureDisk() } catch {
            // Nothing is deleted while the disk fails. A missing folder is not a problem: it means that nothing has
            // been recorded yet.
            if error.number != ENOENT { outcome.problem = "\(error)" }
            return outcome
        }
        if disk.isEmpty, try !store.isEmpty() {
            outcome.problem = "\(folder) is empty; its disk may not be mounted"
            return outcome
        }
        outcome.free = disk.free
        // If recordings are missing from the catalog, newer recordings would be taken for the oldest.
        guard !rules.isEmpty || leastFree != nil, try store.isComplete else { return outcome }
        var refused: Set<Int64> = []
        // Recordings that cannot be deleted must not keep others from being deleted. So if a round has only met
        // refusals, the next round makes a plan without the refused recordings.
        for _ in 0..<Self.mostRounds {
            let before = refused.count
            for deletion in try plan(store, without: refused, free: disk.free).deletions {
                let isFull = outcome.done >= Self.mostDeletions || refused.count >= Self.mostRefusals
                guard isDryRun || !isFull else { break }
                guard let unit = try store.unit(deletion.recording.id) else { continue }
                if !delete(unit, deletion.reason, store, &outcome) { refused.insert(deletion.recording.id) }
            }
            guard refused.count > before, refused.count == outcome.deletions.count else { break }
        }
        let isLimited = outcome.done >= Self.mostDeletions || leastFree != nil && outcome.isLow
        outcome.isUnfinished = isLimited && outcome.done > 0
        return outcome
    }

    private static let mostRounds = 100
    /// The maximum number of deletions in one run. It is limited because other work of the catalog's thread has to wait
    /// meanwhile.
    private static let mostDeletions = 100
    /// The maximum number of refused deletions in one run. Refusals do not count towards ``mostDeletions``: the next
    /// run would meet the same refusals again, and never get to the other recordings.
    private static let mostRefusals = 1_000
    /// With fewer free bytes than this, a warning is given even without `free-space`.
    private static let floorToWarn: Int64 = 1_000_000_000

    private func plan(
        _ store: CatalogStore, without refused: Set<Int64>, free: Int64
    ) throws(CatalogError) -> RetentionPlan {
        var plan = RetentionPlan(now: now, free: free, floor: leastFree ?? 0) { rules.rule($0, $1) }
        try store.forEachUnit { recording in
            guard !refused.contains(recording.id) else { return }
            var recording = recording
            // Recordings of stations that are not configured are never deleted, even on a full disk.
            recording.isProtected = recording.isProtected || !rules.knows(recording.station)
            recording.isFinished = recording.isFinished && !unfinished.contains(recording)
            plan.add(recording)
        }
        return plan
    }

    /// Deletes a recording, and adds the deletion to the outcome. Returns whether the recording was deleted.
    private func delete(
        _ unit: CatalogUnit, _ reason: RetentionReason, _ store: CatalogStore, _ outcome: inout RetentionOutcome
    ) -> Bool {
        var deletion = RetentionOutcome.Deletion(
            recording: unit.recording, station: unit.stationID, show: unit.showID, paths: unit.paths,
            bytes: unit.bytes, reason: reason)
        if !isDryRun {
            let removal = RecordingRemoval(folder: folder, state: state, system: system)
            deletion.refusal = removal.perform(deletion, after: refusals.last(deletion), at: time)
        }
        outcome.deletions.append(deletion)
        // Files may have been deleted by hand, so they are removed from the catalog. If the catalog cannot be changed
        // now, the next run tries again.
        if !isDryRun { try? forgetMissing(of: unit, in: store) }
        return deletion.refusal == nil
    }

    /// Removes missing files of a recording from the catalog. Files that may still exist stay in it.
    private func forgetMissing(of unit: CatalogUnit, in store: CatalogStore) throws(CatalogError) {
        let library = Library(path: folder, depth: NameTemplate.maxComponents)
        let missing = unit.paths.filter { path in
            (try? library.hasAudio(in: path.place.folders, base: path.place.base)) == false
        }
        if !missing.isEmpty { try store.remove(paths: missing, of: unit.recording) }
    }

    private var time: CivilTime { CivilTime(now, in: zone) }

    /// The free bytes of the recordings' disk, and whether the recordings folder is empty, as a mount point is while
    /// its disk is unmounted.
    private func measureDisk() throws(SystemError) -> (free: Int64, isEmpty: Bool) {
        let descriptor = try system.openFolder(path: folder, followsLink: true)
        defer { system.close(descriptor) }
        var isEmpty = true
        _ = try system.names(in: descriptor) { _ in
            isEmpty = false
            return false
        }
        return (try system.space(of: descriptor).free, isEmpty)
    }
}

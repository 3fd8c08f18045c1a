// SPDX-License-Identifier: MIT

import Catalog
package import Configuration
import Glibc
package import Instants
import Platform
package import RadioCore
import RadioFormats
import Storage

/// One run of retention: decides what is deleted, and deletes it. ``perform(_:)`` blocks, on the catalog's thread.
package struct RetentionRun: Sendable {
    /// Deletes recordings, on the disk that is measured.
    let removal: RecordingRemoval
    /// The state folder.
    let state: String
    let rules: RetentionRules
    /// Whether recordings may be deleted for their age.
    var countsDays = true
    /// Which rules may delete; nil if this is not known yet, so that it is read from the state folder.
    var consent: RetentionConsent?
    /// Whether somebody has agreed to these rules, so that they need not wait.
    var isAgreed = false
    /// The time since the last run.
    var elapsed = Duration.zero
    /// The shows and manual recordings that are not over, whose recordings must not be deleted.
    var unfinished = UnfinishedRecordings()
    let now: WallInstant
    let zone: any TimeZoneRules
    /// Whether to delete nothing, and only report what would be deleted.
    let isDryRun: Bool

    func perform(_ store: CatalogStore) throws(CatalogError) -> RetentionOutcome {
        var outcome = RetentionOutcome(free: nil, floor: rules.floor ?? 0)
        outcome.ageHasToWait = !countsDays && rules.countDays
        let disk: (space: DiskSpace, isEmpty: Bool)
        do throws(SystemError) { disk = try measureDisk() } catch {
            // Nothing is deleted while the disk fails. A missing folder is not a problem: it means that nothing has
            // been recorded yet.
            if error.number != ENOENT { outcome.problem = "\(error)" }
            return outcome
        }
        if disk.isEmpty, try !store.isEmpty() {
            outcome.problem = "\(removal.folder) is empty; its disk may not be mounted"
            return outcome
        }
        outcome.free = disk.space.free
        outcome.floor = rules.floor ?? min(Self.floorToWarn, disk.space.size / 10)
        // If recordings are missing from the catalog, newer recordings would be taken for the oldest.
        guard try store.isComplete else { return outcome }
        let allowed = try allowed(store, free: disk.space.free, &outcome)
        guard !rules.isEmpty else { return outcome }
        var refused: Set<Int64> = []
        // Recordings that cannot be deleted must not keep others from being deleted. So if a round has only met
        // refusals, the next round makes a plan without the refused recordings.
        for _ in 0..<Self.mostRounds {
            let before = refused.count
            let plan = try plan(rules, store, free: disk.space.free, without: refused)
            outcome.isOutOfReach = plan.isOutOfReach
            for planned in plan.deletions where isDryRun || allowed?.contains(planned.recording.id) ?? true {
                guard isDryRun || outcome.gone.count < Self.mostDeletions && refused.count < Self.mostRefusals
                else { break }
                guard let unit = try store.unit(planned.recording.id) else { continue }
                let deletion = delete(unit, planned.reason, store)
                if deletion.refusal != nil { refused.insert(planned.recording.id) }
                outcome.deletions.append(deletion)
            }
            guard refused.count > before, refused.count == outcome.deletions.count else { break }
        }
        let isLimited = outcome.gone.count >= Self.mostDeletions || rules.floor != nil && outcome.isLow
        outcome.isUnfinished = isLimited && !outcome.gone.isEmpty
        return outcome
    }

    /// What retention deletes by a configuration that no daemon uses yet, from the catalog in the state folder, which a
    /// daemon may be using meanwhile. Nil if there is no catalog, or if it cannot be read. The call blocks.
    package static func foresee(
        _ configuration: Configuration, now: WallInstant, in zone: any TimeZoneRules
    ) -> RetentionOutcome? {
        let storage = configuration.storage
        let ledger = StateLedger(folder: storage.state, name: StateLedger.deletions)
        let run = RetentionRun(
            removal: RecordingRemoval(folder: storage.recordings, ledger: ledger), state: storage.state,
            rules: RetentionRules(configuration), now: now, zone: zone, isDryRun: true)
        return try? run.perform(CatalogStore(reading: storage.state))
    }

    private static let mostRounds = 100
    /// The maximum number of deletions in one run. It is limited because other work of the catalog's thread has to wait
    /// meanwhile.
    private static let mostDeletions = 100
    /// The maximum number of refused deletions in one run. Refusals do not count towards ``mostDeletions``: the next
    /// run would meet the same refusals again, and never get to the other recordings.
    private static let mostRefusals = 1_000
    /// With fewer free bytes than this, a warning is given even without `free-space`; on a small disk, with less than a
    /// tenth of it.
    private static let floorToWarn: Int64 = 1_000_000_000

    /// The space of the recordings' disk, and whether the recordings folder is empty, as a mount point is while
    /// its disk is unmounted.
    private func measureDisk() throws(SystemError) -> (space: DiskSpace, isEmpty: Bool) {
        let system = removal.system
        let descriptor = try system.openFolder(path: removal.folder, followsLink: true)
        defer { system.close(descriptor) }
        var isEmpty = true
        _ = try system.names(in: descriptor) { _ in
            isEmpty = false
            return false
        }
        return (try system.space(of: descriptor), isEmpty)
    }

    /// Deletes a recording, unless this is a dry run.
    private func delete(
        _ unit: CatalogUnit, _ reason: RetentionReason, _ store: CatalogStore
    ) -> RetentionOutcome.Deletion {
        var deletion = RetentionOutcome.Deletion(
            recording: unit.recording, station: unit.stationID, show: unit.showID, paths: unit.paths,
            files: unit.files, bytes: unit.bytes, reason: reason)
        guard !isDryRun else { return deletion }
        deletion.refusal = removal.perform(deletion, at: CivilTime(now, in: zone))
        // Files may have been deleted by hand, so they are removed from the catalog. If the catalog cannot be changed
        // now, the next run tries again.
        let missing = removal.missing(of: unit.paths)
        if !missing.isEmpty { try? store.remove(paths: missing, of: unit.recording, wereDeleted: true) }
        return deletion
    }
}

// MARK: - Which rules may delete

extension RetentionRun {
    /// The file in the state folder that says which rules may delete.
    private static let consentName = "retention.json"

    /// Which recordings may be deleted now: nil for all that the rules delete. If the rules delete more than the agreed
    /// ones, the others have to wait, and the outcome says so.
    private func allowed(
        _ store: CatalogStore, free: Int64, _ outcome: inout RetentionOutcome
    ) throws(CatalogError) -> Set<Int64>? {
        let file = StateFile(folder: state, name: Self.consentName)
        let stored = { file.read().flatMap { try? JSONValue(parsing: $0, limit: $0.count) } ?? .null }
        let known = consent ?? RetentionConsent(json: stored())
        var consent = known
        defer {
            outcome.consent = consent
            // If the file cannot be written, changed rules may wait once more in the next run.
            if !isDryRun, consent != known { try? file.write(consent.json.encoded()) }
        }
        guard !isAgreed, rules != known.agreed else {
            consent.agree(to: rules)
            return nil
        }
        let agreed = Set(try foreseen(known.agreed, store, free: free).map(\.id))
        let more = try foreseen(rules, store, free: free).filter { !agreed.contains($0.id) }
        guard !more.isEmpty, let rest = consent.wait(rules, elapsed: elapsed) else {
            consent.agree(to: rules)
            return nil
        }
        outcome.waiting = RetentionOutcome.Waiting(
            files: more.reduce(0) { $0 + $1.files }, bytes: more.reduce(Int64(0)) { $0.addingSaturated($1.bytes) },
            until: CivilTime(now + rest, in: zone), isNew: known.waiting?.rules != rules)
        return agreed
    }

    /// The recordings that rules delete. Rules about age always count here: otherwise, rules would be agreed to while
    /// the clock is not trusted, and delete once it is.
    private func foreseen(
        _ rules: RetentionRules, _ store: CatalogStore, free: Int64
    ) throws(CatalogError) -> [StoredRecording] {
        guard !rules.isEmpty else { return [] }
        return try plan(rules, store, free: free, isForeseen: true).deletions.map(\.recording)
    }

    private func plan(
        _ rules: RetentionRules, _ store: CatalogStore, free: Int64, without refused: Set<Int64> = [],
        isForeseen: Bool = false
    ) throws(CatalogError) -> RetentionPlan {
        var plan = RetentionPlan(
            rules, now: now, free: free, countsDays: countsDays || isForeseen,
            mostForSpace: isDryRun || isForeseen ? RetentionPlan.mostForeseen : RetentionPlan.mostForSpace)
        try store.forEachUnit { recording in
            if !refused.contains(recording.id), !unfinished.contains(recording) { plan.add(recording) }
        }
        return plan
    }
}

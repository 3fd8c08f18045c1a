// SPDX-License-Identifier: MIT

import Catalog
import Configuration
import Glibc
import Instants
import Platform
import RadioCore
import RadioFormats
import Storage

/// One run of retention: decides what is deleted, and deletes it. ``perform(_:)`` blocks, on the catalog's thread.
struct RetentionRun: Sendable {
    let folder: String
    let state: String
    /// The ledger of deletions; nil for one of this run alone.
    var deletions: StateLedger?
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
    /// Measures the recordings' disk and deletes files on it.
    var system: any FileSystemCalls = LinuxFileSystem()

    func perform(_ store: CatalogStore) throws(CatalogError) -> RetentionOutcome {
        let disk: (space: DiskSpace, isEmpty: Bool)
        var outcome = RetentionOutcome(free: nil, floor: rules.floor ?? 0)
        outcome.ageHasToWait = !countsDays && rules.countDays
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
            let plan = try plan(rules, store, without: refused, free: disk.space.free)
            outcome.isOutOfReach = plan.isOutOfReach
            for deletion in plan.deletions where isDryRun || allowed?.contains(deletion.recording.id) ?? true {
                let isFull = outcome.done >= Self.mostDeletions || refused.count >= Self.mostRefusals
                guard isDryRun || !isFull else { break }
                guard let unit = try store.unit(deletion.recording.id) else { continue }
                if !delete(unit, deletion.reason, store, &outcome) { refused.insert(deletion.recording.id) }
            }
            guard refused.count > before, refused.count == outcome.deletions.count else { break }
        }
        let isLimited = outcome.done >= Self.mostDeletions || rules.floor != nil && outcome.isLow
        outcome.isUnfinished = isLimited && outcome.done > 0
        return outcome
    }

    /// Which recordings may be deleted now: nil for all that the rules delete. If the rules delete more than the agreed
    /// ones, the others have to wait, and the outcome says so.
    private func allowed(
        _ store: CatalogStore, free: Int64, _ outcome: inout RetentionOutcome
    ) throws(CatalogError) -> Set<Int64>? {
        let file = StateFile(folder: state, name: Self.consentName)
        let known =
            consent ?? file.read().flatMap { try? JSONValue(parsing: $0, limit: $0.count) }
            .map(RetentionConsent.init(json:)) ?? RetentionConsent()
        var consent = known
        defer {
            outcome.consent = consent
            // If the file cannot be written, changed rules may wait once more in the next run.
            if !isDryRun, consent != known { try? file.write(consent.json.encoded()) }
        }
        guard !isAgreed, rules != consent.agreed else {
            consent.agree(to: rules)
            return nil
        }
        let agreed = try foreseen(consent.agreed, store, free: free)
        let more = try foreseen(rules, store, free: free).filter { agreed[$0.key] == nil }
        guard !more.isEmpty else {
            consent.agree(to: rules)
            return nil
        }
        let isNew = consent.waiting?.rules != rules
        guard let rest = consent.wait(rules, elapsed: elapsed) else { return nil }
        outcome.waiting = RetentionOutcome.Waiting(
            files: more.values.reduce(0) { $0 + $1.files },
            bytes: more.values.reduce(Int64(0)) { $0.addingSaturated($1.bytes) },
            until: CivilTime(now + rest, in: zone), isNew: isNew)
        return Set(agreed.keys)
    }

    /// The recordings that rules delete, by their IDs. Rules about age always count here: otherwise, rules would be
    /// agreed to while the clock is not trusted, and delete once it is.
    private func foreseen(
        _ rules: RetentionRules, _ store: CatalogStore, free: Int64
    ) throws(CatalogError) -> [Int64: StoredRecording] {
        guard !rules.isEmpty else { return [:] }
        let plan = try plan(rules, store, without: [], free: free, isForeseen: true)
        return Dictionary(plan.deletions.map { ($0.recording.id, $0.recording) }) { first, _ in first }
    }

    /// The file in the state folder that says which rules may delete.
    private static let consentName = "retention.json"
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

    private func plan(
        _ rules: RetentionRules, _ store: CatalogStore, without refused: Set<Int64>, free: Int64,
        isForeseen: Bool = false
    ) throws(CatalogError) -> RetentionPlan {
        let most = isDryRun || isForeseen ? RetentionPlan.mostForeseen : RetentionPlan.mostForSpace
        var plan = RetentionPlan(now: now, free: free, floor: rules.floor ?? 0, mostForSpace: most) { station, show in
            var rule = rules.rule(station, show)
            if !countsDays, !isForeseen { rule.days = nil }
            return rule
        }
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
            files: (try? store.files(at: unit.paths)) ?? [], bytes: unit.bytes, reason: reason)
        if !isDryRun {
            let ledger = deletions ?? StateLedger(folder: state, name: StateLedger.deletions)
            let removal = RecordingRemoval(folder: folder, ledger: ledger, system: system)
            deletion.refusal = removal.perform(deletion, at: time)
            // Files may have been deleted by hand, so they are removed from the catalog. If the catalog cannot be
            // changed now, the next run tries again.
            let missing = removal.missing(of: unit.paths)
            if !missing.isEmpty { try? store.remove(paths: missing, of: unit.recording, wereDeleted: true) }
        }
        outcome.deletions.append(deletion)
        return deletion.refusal == nil
    }

    private var time: CivilTime { CivilTime(now, in: zone) }

    /// The space of the recordings' disk, and whether the recordings folder is empty, as a mount point is while
    /// its disk is unmounted.
    private func measureDisk() throws(SystemError) -> (space: DiskSpace, isEmpty: Bool) {
        let descriptor = try system.openFolder(path: folder, followsLink: true)
        defer { system.close(descriptor) }
        var isEmpty = true
        _ = try system.names(in: descriptor) { _ in
            isEmpty = false
            return false
        }
        return (try system.space(of: descriptor), isEmpty)
    }
}

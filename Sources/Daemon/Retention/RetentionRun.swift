// SPDX-License-Identifier: MIT

import Catalog
import Configuration
import Instants
import Platform
package import RadioCore
import RadioFormats
import Storage

/// One run of retention: decides what is deleted, and deletes it. A value; ``perform(_:)`` blocks, on the catalog's
/// thread.
struct RetentionRun: Sendable {
    let folder: String
    let state: String
    /// How many bytes of the disk should be free; nil: nothing is deleted for that.
    let leastFree: Int64?
    let rules: RetentionRules
    let now: WallInstant
    let zone: any TimeZoneRules
    /// Whether to delete nothing, and only report what would be deleted.
    let isDryRun: Bool

    func perform(_ store: CatalogStore) throws(CatalogError) -> RetentionOutcome {
        let free = freeBytes
        var outcome = RetentionOutcome(free: free, floor: leastFree ?? Self.floorToWarn)
        // A catalog that does not know all recordings takes new ones for the oldest.
        guard !rules.isEmpty || leastFree != nil, try store.isComplete else { return outcome }
        let units = try store.units()
        var refused: Set<Int> = []
        // A recording that cannot be deleted must not keep others from being deleted.
        for _ in 0..<Self.mostRounds {
            let plan = RetentionPlan(stored(units, without: refused), now: now, free: free, floor: leastFree ?? 0) {
                rules.rule($0, $1)
            }
            let before = refused.count
            for deletion in plan.deletions {
                guard isDryRun || outcome.deletions.count < Self.mostDeletions else { break }
                guard let index = Int(deletion.recording.id), units.indices.contains(index) else { continue }
                if !delete(units[index], deletion.reason, store, &outcome) { refused.insert(index) }
            }
            guard refused.count > before, refused.count == outcome.deletions.count else { break }
        }
        let isLimited = outcome.deletions.count >= Self.mostDeletions || leastFree != nil && outcome.isLow
        outcome.isUnfinished = isLimited && outcome.deletions.contains { $0.refusal == nil }
        return outcome
    }

    private static let mostRounds = 100
    /// The most deletions of one run. Other work of the catalog's thread waits meanwhile.
    private static let mostDeletions = 100
    /// With fewer free bytes, a warning is given even without `free-space`.
    private static let floorToWarn: Int64 = 1_000_000_000

    private func stored(_ units: [CatalogUnit], without refused: Set<Int>) -> [StoredRecording] {
        units.enumerated().filter { !refused.contains($0.offset) }.map { index, unit in
            // Recordings of stations that are not configured are never deleted, even on a full disk.
            StoredRecording(
                id: "\(index)", station: unit.stationID, show: unit.showID, broadcast: unit.broadcast?.instant,
                ended: unit.ended?.instant, bytes: unit.bytes,
                isProtected: unit.isProtected || !rules.knows(unit.stationID), isFinished: unit.isFinished)
        }
    }

    /// Returns whether it was deleted.
    private func delete(
        _ unit: CatalogUnit, _ reason: RetentionReason, _ store: CatalogStore, _ outcome: inout RetentionOutcome
    ) -> Bool {
        var deletion = RetentionOutcome.Deletion(
            recording: unit.recording, station: unit.stationID, show: unit.showID, paths: unit.paths,
            bytes: unit.bytes, reason: reason)
        if !isDryRun { deletion.refusal = RecordingRemoval(folder: folder, state: state).perform(deletion, at: time) }
        outcome.deletions.append(deletion)
        // Files may have been deleted by hand. If the catalog cannot be changed now, the next run tries again.
        if !isDryRun { try? forgetMissing(of: unit, in: store) }
        return deletion.refusal == nil
    }

    /// Removes missing files of a recording from the catalog.
    private func forgetMissing(of unit: CatalogUnit, in store: CatalogStore) throws(CatalogError) {
        let library = Library(path: folder, depth: NameTemplate.maxComponents)
        for path in unit.paths {
            let place = path.place
            let left: LibrarySegment?
            do throws(SystemError) { left = try library.remainder(in: place.folders, base: place.base) } catch {
                continue
            }
            if let left {
                try store.put([left])
            } else {
                try store.remove(paths: [path], of: unit.recording)
            }
        }
    }

    private var time: CivilTime { CivilTime(now, in: zone) }

    /// Nil if unknown.
    private var freeBytes: Int64? {
        let system = LinuxFileSystem()
        do throws(SystemError) {
            let descriptor = try system.openFolder(path: folder, followsLink: true)
            defer { system.close(descriptor) }
            return try system.freeBytes(of: descriptor)
        } catch {
            return nil
        }
    }
}

/// The rules of all stations and shows. A value.
struct RetentionRules: Sendable {
    private let general: RetentionRule
    private let stations: [String: StationConfiguration]
    private let countsDays: Bool

    /// `countsDays`: whether recordings may be deleted for their age.
    init(_ configuration: Configuration, countsDays: Bool = true) {
        general = configuration.storage.keep
        stations = Dictionary(configuration.stations.map { ($0.id, $0) }) { first, _ in first }
        self.countsDays = countsDays
    }

    /// Whether there is no rule at all.
    var isEmpty: Bool {
        let all = stations.values.flatMap { [$0.files.keep] + $0.shows.map(\.files.keep) } + [general]
        return all.allSatisfy { $0 == RetentionRule() }
    }

    /// Whether a station is in the configuration.
    func knows(_ station: String?) -> Bool { station.map { stations[$0] != nil } ?? false }

    /// A show's own rule, else its station's, else the general one. Nothing is deleted of a station that is not in the
    /// configuration: who takes one out may want to keep what it has.
    func rule(_ station: String?, _ show: String?) -> RetentionRule {
        guard let station = station.flatMap({ stations[$0] }) else { return RetentionRule() }
        let own = station.shows.first { $0.show.id == show }?.files.keep
        var rule = [own, station.files.keep].compactMap(\.self).first { $0 != RetentionRule() } ?? general
        if !countsDays { rule.days = nil }
        return rule
    }
}

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

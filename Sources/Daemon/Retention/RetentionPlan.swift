// SPDX-License-Identifier: MIT

import Catalog
import Configuration
import Instants
import RadioCore
import RadioFormats

/// Why a recording is deleted.
package struct RetentionReason: Hashable, Sendable {
    /// What demands it. The raw value is the reason in answers to programs.
    package enum Kind: String, Sendable {
        /// The recording is too old.
        case age
        /// There are enough newer recordings.
        case count
        /// The newer recordings have enough bytes.
        case size
        /// The disk has fewer free bytes than it should have.
        case space
    }

    package let kind: Kind
    /// The reason in the entries of the ledger, whose form must stay the same when a word for people changes.
    let entry: String

    init(_ kind: Kind, _ entry: String) { (self.kind, self.entry) = (kind, entry) }
}

/// Decides which recordings are deleted. Pure.
///
/// Takes the recordings one by one, starting with the one that ended last, and remembers only those that may be
/// deleted, because a catalog may have hundreds of thousands. Recordings that are protected, under way, or of unknown
/// end are never deleted, nor are those that a rule keeps for at least some time, or of a station without rules.
/// Nothing is deleted for lack of space if deleting everything would not free enough: such a floor is a mistake, or the
/// disk is not the one that is meant.
struct RetentionPlan {
    struct DueRecording: Hashable, Sendable {
        var recording: StoredRecording
        var reason: RetentionReason
    }

    private let rules: RetentionRules
    private let now: WallInstant
    private let free: Int64
    private let countsDays: Bool
    private let mostForSpace: Int
    private var groups: [Group: Sum] = [:]
    /// The recordings that the rules delete, in order.
    private var ruled: [DueRecording] = []
    /// The oldest recordings that may be deleted for lack of space, the newest of them first.
    private var oldest: [StoredRecording] = []
    /// Recordings dated by a wrong clock. For lack of space, they are deleted after all others.
    private var misdated: [StoredRecording] = []
    /// The bytes of all recordings that may be deleted.
    private var deletable: Int64 = 0

    /// How many recordings are deleted for lack of space before the free space is measured again.
    static let mostForSpace = 10
    /// The limit of a plan that is not carried out, but shown.
    static let mostForeseen = 10_000
    private static let mostDays = 100_000
    /// 2000-01-01: an earlier end was dated by a clock that was not set.
    private static let firstSaneEnd = WallInstant(nanoseconds: 946_684_800_000_000_000)

    /// `free`: the free bytes of the disk. `countsDays`: whether rules about age apply. `mostForSpace`: how many
    /// recordings are deleted for lack of space at most.
    init(
        _ rules: RetentionRules, now: WallInstant, free: Int64, countsDays: Bool = true,
        mostForSpace: Int = Self.mostForSpace
    ) {
        (self.rules, self.now, self.free) = (rules, now, free)
        (self.countsDays, self.mostForSpace) = (countsDays, mostForSpace)
    }

    /// Takes the next recording. It must not have ended later than the recordings added before it.
    mutating func add(_ recording: StoredRecording) {
        // A recording counts once it is finished.
        guard let ended = recording.ended, recording.isFinished,
            let rule = rules.rule(recording.station, recording.show)
        else { return }
        // A recording dated by a wrong clock may be the newest or the oldest, so it does not count towards any limit.
        guard ended >= Self.firstSaneEnd, ended <= now else {
            guard !recording.isProtected, rule.atLeast == nil else { return }
            deletable = deletable.addingSaturated(recording.bytes)
            if misdated.count < mostForSpace { misdated.append(recording) }
            return
        }
        let group = Group(station: recording.station, show: recording.show)
        groups[group, default: Sum()].add(recording)
        guard let sum = groups[group], !recording.isProtected, rule.atLeast.map({ now - ended >= $0 }) ?? true
        else { return }
        deletable = deletable.addingSaturated(recording.bytes)
        if let reason = sum.reason(rule, at: countsDays ? now - ended : .zero) {
            ruled.append(DueRecording(recording: recording, reason: reason))
        } else {
            oldest.append(recording)
            // Removing single elements from the front would move all others each time.
            if oldest.count >= 2 * mostForSpace { oldest.removeFirst(oldest.count - mostForSpace) }
        }
    }

    /// Whether the disk would be too full even if every recording that may be deleted were deleted.
    var isOutOfReach: Bool { free.addingSaturated(deletable) < floor }

    private var floor: Int64 { rules.floor ?? 0 }

    /// The deletions among the recordings added so far, in order.
    var deletions: [DueRecording] {
        guard free < floor, !isOutOfReach else { return ruled }
        var deletions = ruled
        var room = ruled.reduce(free) { $0.addingSaturated($1.recording.bytes) }
        for recording in (oldest.reversed() + misdated).prefix(mostForSpace) where room < floor {
            let reason = RetentionReason(.space, "\(free) bytes free instead of \(floor)")
            deletions.append(DueRecording(recording: recording, reason: reason))
            room = room.addingSaturated(recording.bytes)
        }
        return deletions
    }

    private struct Group: Hashable {
        let station: String?
        let show: String?
    }

    /// The recordings that one rule has counted so far.
    private struct Sum {
        private var count = 0
        private var bytes: Int64 = 0
        /// The broadcasts among them, some of which were recorded in several parts.
        private var broadcasts: Set<WallInstant> = []

        mutating func add(_ recording: StoredRecording) {
            bytes = bytes.addingSaturated(recording.bytes)
            if recording.broadcast.map({ broadcasts.insert($0).inserted }) ?? true { count += 1 }
        }

        /// Why the recording that was added last is deleted at this age, which is zero if ages do not count; nil if no
        /// limit deletes it.
        func reason(_ rule: RetentionRule, at age: Duration) -> RetentionReason? {
            // A limit of 0 would delete everything, so it is ignored.
            if let days = rule.days, days > 0, age > .seconds(86_400 * Int64(min(days, mostDays))) {
                return RetentionReason(.age, "older than \(days) days")
            }
            if let last = rule.last, last > 0, count > last { return RetentionReason(.count, "more than \(last)") }
            // The newest recording stays, however large it is.
            if let most = rule.bytes, bytes > most, count > 1 {
                return RetentionReason(.size, "more than \(most) bytes")
            }
            return nil
        }
    }
}

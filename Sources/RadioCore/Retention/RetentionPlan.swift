// SPDX-License-Identifier: MIT

package import Instants
import RadioFormats

/// A recording on disk, as retention sees it.
package struct StoredRecording: Hashable, Sendable {
    package var id: String
    /// The station's ID; nil if the recording is of no configured station.
    package var station: String?
    /// The show's ID; nil if it is of none.
    package var show: String?
    /// Which broadcast of the show: when its recording was to begin. Several recordings may be of one.
    package var broadcast: WallInstant?
    /// Nil if unknown.
    package var ended: WallInstant?
    /// Bytes on disk.
    package var bytes: Int64
    package var isProtected: Bool
    package var isFinished: Bool

    package init(
        id: String, station: String?, show: String?, broadcast: WallInstant? = nil, ended: WallInstant?, bytes: Int64,
        isProtected: Bool = false, isFinished: Bool = true
    ) {
        self.id = id
        self.station = station
        self.show = show
        self.broadcast = broadcast
        self.ended = ended
        self.bytes = bytes
        self.isProtected = isProtected
        self.isFinished = isFinished
    }
}

/// Why a recording is deleted.
package enum RetentionReason: Hashable, Sendable {
    /// It is older than this many days.
    case age(days: Int)
    /// There are this many newer ones.
    case count(Int)
    /// Those that are newer have this many bytes already.
    case size(Int64)
    /// The disk has fewer free bytes than it should have.
    case space(free: Int64, floor: Int64)
}

/// Decides which recordings are deleted. Pure.
///
/// Nothing is deleted that is protected, under way, or whose end is unknown; and for lack of space nothing as long as
/// the free space is unknown.
package struct RetentionPlan: Hashable, Sendable {
    package struct Deletion: Hashable, Sendable {
        package var recording: StoredRecording
        package var reason: RetentionReason
    }

    /// In order.
    package private(set) var deletions: [Deletion] = []

    /// How many are deleted for space before the free space is looked at again.
    package static let mostForSpace = 10
    private static let mostDays = 100_000
    /// An earlier end was dated by a clock that was not set.
    private static let firstSaneEnd = WallInstant(nanoseconds: 946_684_800_000_000_000)

    /// `rule`: what is kept of a station's recordings, or of a show's. `free`: the free bytes of the disk; nil if
    /// unknown. `floor`: how many there should be.
    package init(
        _ recordings: [StoredRecording], now: WallInstant, free: Int64?, floor: Int64,
        rule: (_ station: String?, _ show: String?) -> RetentionRule
    ) {
        let dated = recordings.compactMap { recording in recording.ended.map { (recording, ended: $0) } }
            .sorted { ($1.ended, $1.0.id) < ($0.ended, $0.0.id) }
        var groups: [Group: (broadcasts: Broadcasts, bytes: Int64, rule: RetentionRule)] = [:]
        var kept: [StoredRecording] = []
        // A growing recording counts once it is finished. A recording dated by a wrong clock may be the newest or the
        // oldest: it counts for no limit, and is deleted only for space, after all others.
        for (recording, ended) in dated where recording.isFinished && Self.isCredible(ended, now) {
            let group = Group(station: recording.station, show: recording.show)
            var sum = groups[group] ?? (Broadcasts(), 0, rule(recording.station, recording.show))
            sum.broadcasts.add(recording.broadcast)
            sum.bytes = sum.bytes.addingSaturated(recording.bytes)
            groups[group] = sum
            if let reason = Self.reason(sum.rule, age: now - ended, count: sum.broadcasts.count, bytes: sum.bytes),
                recording.mayGo
            {
                deletions.append(Deletion(recording: recording, reason: reason))
            } else {
                kept.append(recording)
            }
        }
        guard let free, free < floor else { return }
        kept.reverse()
        kept += dated.filter { !Self.isCredible($0.ended, now) }.map(\.0)
        var room = deletions.reduce(free) { $0.addingSaturated($1.recording.bytes) }
        for recording in kept.filter(\.mayGo).prefix(Self.mostForSpace) where room < floor {
            deletions.append(Deletion(recording: recording, reason: .space(free: free, floor: floor)))
            room = room.addingSaturated(recording.bytes)
        }
    }

    private static func isCredible(_ end: WallInstant, _ now: WallInstant) -> Bool { end >= firstSaneEnd && end <= now }

    /// How many broadcasts, if some were recorded in several parts.
    private struct Broadcasts {
        private(set) var count = 0
        private var known: Set<WallInstant> = []

        mutating func add(_ broadcast: WallInstant?) {
            guard let broadcast else { return count += 1 }
            if known.insert(broadcast).inserted { count += 1 }
        }
    }

    private struct Group: Hashable {
        var station: String?
        var show: String?
    }

    private static func reason(_ rule: RetentionRule, age: Duration, count: Int, bytes: Int64) -> RetentionReason? {
        // A limit of 0 would delete everything, so it is ignored.
        if let days = rule.days, days > 0, age > .seconds(86_400 * Int64(min(days, mostDays))) {
            return .age(days: days)
        }
        if let last = rule.last, last > 0, count > last { return .count(last) }
        // The newest one stays, however large it is.
        if let most = rule.bytes, bytes > most, count > 1 { return .size(most) }
        return nil
    }
}

extension StoredRecording {
    fileprivate var mayGo: Bool { !isProtected && isFinished }
}

// SPDX-License-Identifier: MIT

import Configuration
import Instants
import RadioCore
import TestSupport
import Testing

@testable import Catalog
@testable import Daemon

/// What is deleted, and what is never deleted.
struct RetentionPlanTests {
    private static let now = WallInstant("2026-11-25T12:00:00Z")

    private static func recording(
        _ id: Int64, daysAgo: Double, bytes: Int64 = 100, station: String? = "fip", show: String? = nil
    ) -> StoredRecording {
        StoredRecording(
            id: id, recording: "r\(id)", station: station, show: show, ended: now - .seconds(daysAgo * 86_400),
            bytes: bytes)
    }

    private static func plan(
        _ recordings: [StoredRecording], _ rule: RetentionRule, free: Int64 = 1_000, floor: Int64 = 500
    ) -> [Int64] {
        let rules = RetentionRules(general: rule, floor: floor, stations: ["fip": .init()])
        return RetentionPlan(recordings, rules, now: now, free: free).deletions.map(\.recording.id)
    }

    private let week = (Int64(0)..<7).map { Self.recording($0, daysAgo: Double($0) + 0.5) }

    @Test("Recordings beyond a limit of age, number or size are deleted") func limits() {
        #expect(Self.plan(week, RetentionRule()).isEmpty)
        #expect(Self.plan(week, RetentionRule(days: 5)) == [5, 6])
        #expect(Self.plan(week.shuffled(), RetentionRule(last: 2)) == [2, 3, 4, 5, 6])
        #expect(Self.plan(week, RetentionRule(bytes: 350)) == [3, 4, 5, 6])
        #expect(Self.plan(week, RetentionRule(bytes: 1)) == [1, 2, 3, 4, 5, 6], "the newest stays")
        #expect(Self.plan(week, RetentionRule(days: 6, last: 6)) == [6])
        #expect(Self.plan(week, RetentionRule(days: -1, last: 0)).isEmpty, "no limit")
        #expect(Self.plan(week, RetentionRule(days: .max, last: .max, bytes: .max)).isEmpty)
    }

    @Test("Each show has its own limit on the number of recordings") func showLimits() {
        let recordings = week + (Int64(0)..<3).map { Self.recording(100 + $0, daysAgo: Double($0), show: "jazz") }
        let station = RetentionRules.Station(own: RetentionRule(last: 7), shows: ["jazz": RetentionRule(last: 1)])
        let plan = RetentionPlan(recordings, RetentionRules(stations: ["fip": station]), now: Self.now, free: 0)
        #expect(plan.deletions.map(\.recording.id) == [101, 102])
    }

    @Test("The parts of a broadcast count as one recording") func broadcastParts() {
        var recordings = (Int64(0)..<6).map { Self.recording(100 + $0, daysAgo: Double($0 / 2) + 0.5, show: "jazz") }
        for index in recordings.indices {
            recordings[index].broadcast = Self.now - .seconds(Int64(index / 2 + 1) * 86_400)
        }
        #expect(Self.plan(recordings, RetentionRule(last: 2)).sorted() == [104, 105])
    }

    @Test("Protected, unfinished and undated recordings are never deleted") func neverDeleted() {
        var recordings = week
        recordings[6].isProtected = true
        recordings[5].isFinished = false
        recordings[4].ended = nil
        #expect(Self.plan(recordings, RetentionRule(days: 1)) == [1, 2, 3])
        // A recording dated by a wrong clock is not old.
        recordings = [Self.recording(1970, daysAgo: 20_000), Self.recording(2027, daysAgo: -400)]
        #expect(Self.plan(recordings, RetentionRule(days: 1)).isEmpty)
        // It does not take the place of a new recording either, and is the last to be deleted for space.
        #expect(Self.plan(recordings + week, RetentionRule(last: 7)).isEmpty)
        let forSpace = Self.plan(recordings + week.prefix(2), RetentionRule(), free: 0, floor: 350)
        #expect(forSpace == [1, 0, 2027, 1970])
    }

    @Test("For space, the oldest recordings are deleted, as many as needed") func space() {
        #expect(Self.plan(week, RetentionRule(), free: 300, floor: 500) == [6, 5])
        #expect(Self.plan(week, RetentionRule(last: 6), free: 300, floor: 500) == [6, 5])
        let many = (Int64(0)..<50).map { Self.recording($0, daysAgo: Double($0)) }
        #expect(Self.plan(many, RetentionRule(), free: 0, floor: 5_000).count == RetentionPlan.mostForSpace)
    }

    @Test("A floor that deleting everything cannot reach deletes nothing for space") func floorOutOfReach() {
        #expect(Self.plan(week, RetentionRule(), free: 300, floor: 1_000) == [6, 5, 4, 3, 2, 1, 0])
        #expect(Self.plan(week, RetentionRule(), free: 300, floor: 1_001).isEmpty)
        #expect(Self.plan(week, RetentionRule(days: 5), free: 300, floor: .max) == [5, 6], "rules apply all the same")
        var recordings = week
        recordings[0].isProtected = true
        #expect(Self.plan(recordings, RetentionRule(), free: 300, floor: 1_000).isEmpty)
        recordings[0].isProtected = false
        recordings[0].isFinished = false
        #expect(Self.plan(recordings, RetentionRule(), free: 300, floor: 1_000).isEmpty)
    }

    @Test("Nothing younger than keep-at-least is deleted, by whatever rule") func keptAtLeast() {
        let week = Duration.seconds(7 * 86_400)
        let recordings = self.week + [Self.recording(7, daysAgo: 7.5), Self.recording(8, daysAgo: 8.5)]
        for rule in [RetentionRule(days: 2), RetentionRule(last: 1), RetentionRule(bytes: 1)] {
            var rule = rule
            rule.atLeast = week
            #expect(Self.plan(recordings, rule) == [7, 8])
        }
        let rule = RetentionRule(atLeast: week)
        #expect(Self.plan(recordings, rule, free: 0, floor: 150) == [8, 7])
        #expect(Self.plan(recordings, rule, free: 0, floor: 250).isEmpty, "only two may be deleted")
        // A recording that was dated by a wrong clock may be new.
        #expect(Self.plan([Self.recording(1970, daysAgo: 20_000)], rule, free: 0, floor: 50).isEmpty)
    }

    @Test("A plan for people names more recordings than one run deletes") func foreseen() {
        var plan = RetentionPlan(
            RetentionRules(floor: 2_450, stations: ["fip": .init()]), now: Self.now, free: 0,
            mostForSpace: RetentionPlan.mostForeseen)
        for index in Int64(0)..<50 { plan.add(Self.recording(index, daysAgo: Double(index))) }
        #expect(plan.deletions.map(\.recording.id) == (25..<50).reversed())
    }

    @Test("A retention plan for random recordings obeys the rules", arguments: 1...20)
    func randomRecordings(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let recordings = (Int64(0)..<200).map { index in
            var recording = Self.recording(
                index, daysAgo: Double.random(in: -5...60, using: &random),
                bytes: Int64.random(in: 0...1_000, using: &random),
                station: ["a", "b", nil].randomElement(using: &random) ?? nil,
                show: ["x", nil].randomElement(using: &random) ?? nil)
            recording.isProtected = Int.random(in: 0..<5, using: &random) == 0
            recording.isFinished = Int.random(in: 0..<9, using: &random) != 0
            if Int.random(in: 0..<9, using: &random) == 0 { recording.ended = nil }
            return recording
        }
        let (days, last) = (Int.random(in: 1...50, using: &random), Int.random(in: 0...30, using: &random))
        let most = Int64.random(in: 0...20_000, using: &random)
        let rule = RetentionRule(days: days, last: last, bytes: most)
        let rules = RetentionRules(
            floor: Int64.random(in: 0...4_000, using: &random), stations: ["a": .init(own: rule), "b": .init()])
        let plan = RetentionPlan(recordings, rules, now: Self.now, free: 100)
        let gone = Set(plan.deletions.map(\.recording.id))
        #expect(gone.count == plan.deletions.count)
        #expect(
            plan.deletions.allSatisfy {
                !$0.recording.isProtected && $0.recording.isFinished && $0.recording.ended != nil
                    && $0.recording.station != nil
            })
        for deletion in plan.deletions {
            let newer = recordings.filter { other in
                guard let ended = other.ended, let own = deletion.recording.ended else { return false }
                return (other.station, other.show) == (deletion.recording.station, deletion.recording.show)
                    && other.isFinished && (ended, deletion.recording.id) > (own, other.id)
            }
            switch deletion.reason.kind {
            case .age:
                #expect(deletion.recording.ended.map { Self.now - $0 > .seconds(86_400 * days) } == true)
            case .count: #expect(newer.count >= last)
            case .size:
                #expect(newer.reduce(deletion.recording.bytes) { $0 + $1.bytes } > most && !newer.isEmpty)
            case .space: #expect(plan.deletions.count { $0.reason.kind == .space } <= 10)
            }
        }
    }
}

extension RetentionPlan {
    /// The plan for recordings in any order.
    fileprivate init(
        _ recordings: [StoredRecording], _ rules: RetentionRules, now: WallInstant, free: Int64
    ) {
        self.init(rules, now: now, free: free)
        let undated = WallInstant(nanoseconds: .min)
        for recording in recordings.sorted(by: { ($1.ended ?? undated, $1.id) < ($0.ended ?? undated, $0.id) }) {
            add(recording)
        }
    }
}

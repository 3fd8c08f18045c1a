// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import Recorder

/// The recordings made of the shows under way.
struct ShowTallies {
    private struct Tally {
        var airing: ShowAiring
        var recordings: [RecordingResult.Part] = []
        /// Whether shows of other stations took precedence at any time.
        var wasRefused = false
    }

    private static let refusal = "the maximum number of stations was being recorded (stations-at-once)"

    private var tallies: [UseKey: Tally] = [:]
    private var refused: Set<UseKey> = []

    /// The shows under way.
    var airings: [ShowAiring] { tallies.values.map(\.airing) }

    /// The recording window of a show under way.
    func window(of key: UseKey) -> Range<WallInstant>? { tallies[key]?.airing.window }

    /// Begins a tally for each show under way. Forgets all other shows, as after a step of the clock, except those that
    /// are over but not yet settled. `broadcast` returns a broadcast as it is now: a reload may have let it end in the
    /// past. Returns the shows that are newly refused.
    mutating func update(
        _ present: ShowCalendar.Present, _ broadcast: (UseKey) -> ShowAiring?, at now: WallInstant
    ) -> [ShowAiring] {
        let airings = present.recorded + present.refused + present.ending
        let keys = Set(airings.map(\.key))
        for (key, tally) in tallies where !keys.contains(key) && tally.airing.window.upperBound > now {
            let ended = broadcast(key).flatMap { $0.window.upperBound <= now ? $0 : nil }
            if let ended { tallies[key]?.airing = ended } else { tallies[key] = nil }
        }
        for airing in airings {
            // A finished show without a tally has already been reported.
            if present.ending.contains(airing), tallies[airing.key] == nil { continue }
            tallies[airing.key, default: Tally(airing: airing)].airing = airing
        }
        let new = present.refused.filter { !refused.contains($0.key) }
        refused = Set(present.refused.map(\.key))
        for key in refused { tallies[key]?.wasRefused = true }
        return new
    }

    /// Adds a recording of a show; `recording` is its ID.
    mutating func add(_ recording: String, _ report: RecordingReport, to key: UseKey) {
        guard tallies[key] != nil, let first = report.segments.first, let last = report.segments.last else { return }
        let start = first.at.instant
        tallies[key]?.recordings.append(
            .init(
                recorded: .init(recording: recording, files: report.files), spans: [start..<max(start, last.end)],
                own: report.own, leftOut: report.segments.compactMap(\.leftOut)))
    }

    /// The ends of the shows that are over, but not settled.
    func unsettledEnds(at now: WallInstant) -> [WallInstant] {
        tallies.values.map(\.airing.window.upperBound).filter { $0 <= now }
    }

    /// Removes the shows that are over and whose uses have ended, and returns their results.
    mutating func settle(at now: WallInstant, isRunning: (UseKey) -> Bool) -> [(ShowAiring, RecordingResult)] {
        let over = tallies.filter { $0.value.airing.window.upperBound <= now && !isRunning($0.key) }
        for key in over.keys { tallies[key] = nil }
        return over.values.sorted { $0.airing.key.description < $1.airing.key.description }.map { tally in
            var result = RecordingResult(window: tally.airing.window, parts: tally.recordings)
            if tally.wasRefused, result.verdict != .complete { result.cause = Self.refusal }
            return (tally.airing, result)
        }
    }
}

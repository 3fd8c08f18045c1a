// SPDX-License-Identifier: MIT

import Instants

/// The segments that were left out. They are asked for on, ever more rarely, because recordings may still get them. A
/// value.
struct HLSSearch: Sendable {
    private var entries: [HLSSegmentID: HLSWindow.Entry] = [:]

    private static let most = 1_000
    private static let longest = Duration.seconds(600)
    private static let delays = Duration.seconds(2)...Duration.seconds(60)

    /// The segment that may be asked for first, and is not yet; nil if there is none.
    func next(besides requests: HLSRequests) -> (id: HLSSegmentID, entry: HLSWindow.Entry)? {
        guard requests.maySearch else { return nil }
        let free = entries.lazy.filter { !requests.isUnderWay($0.key) }
        return free.min { ($0.value.nextTry, $0.key) < ($1.value.nextTry, $1.key) }.map { ($0.key, $0.value) }
    }

    /// Adds a segment, which may be asked for from `instant` on, or as it has failed.
    mutating func add(_ id: HLSSegmentID, _ entry: HLSWindow.Entry, from instant: MonotonicInstant? = nil) {
        guard entries.count < Self.most else { return }
        entries[id] = entry
        entries[id]?.tries = 0
        if let instant { entries[id]?.nextTry = instant + Self.delays.lowerBound }
    }

    /// Ends the search for a segment, because it has been found; nil if there is none.
    mutating func end(_ id: HLSSegmentID) -> HLSWindow.Entry? { entries.removeValue(forKey: id) }

    mutating func noteTry(_ id: HLSSegmentID) { entries[id]?.tries += 1 }

    /// Returns whether the segment is one of these.
    mutating func failed(_ id: HLSSegmentID, hold: Duration, _ now: MonotonicInstant) -> Bool {
        guard let entry = entries[id] else { return false }
        let delay = Self.delays.lowerBound * (1 << min(max(0, entry.tries - 1), 5))
        entries[id]?.nextTry = now + max(hold, min(delay, Self.delays.upperBound))
        return true
    }

    var isEmpty: Bool { entries.isEmpty }

    /// Ends all searches, unless a request is under way.
    mutating func endAll(besides requests: HLSRequests) {
        entries = entries.filter { requests.isUnderWay($0.key) }
    }

    /// Ends the searches that have gone on for too long, unless a request is under way.
    mutating func endOld(besides requests: HLSRequests, _ now: MonotonicInstant) {
        guard entries.contains(where: { $0.value.listed + Self.longest <= now }) else { return }
        entries = entries.filter { now < $0.value.listed + Self.longest || requests.isUnderWay($0.key) }
    }
}

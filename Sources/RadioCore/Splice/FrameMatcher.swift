// SPDX-License-Identifier: MIT

import Instants

/// Finds where the frames of a connection stand beside what was heard. A value.
///
/// Both sides are numbers, one for each frame. Sums over their prefixes (a polynomial, as of Karp and Rabin) tell in
/// constant time whether two stretches are the same, and ``HeardIndex`` says where the newest eight frames were
/// heard. So a frame costs the same whatever a stream consists of, and so does each question.
struct FrameMatcher: Sendable {
    /// One way in which the frames may stand beside the heard ones.
    struct Alignment: Hashable, Sendable {
        /// Where the connection's first frame stands, counted from the oldest frame heard; negative: before that.
        var offset: Int
        /// Counted from the connection's first frame: how many of its frames were heard, should this be the place.
        var drop: Int
        /// How long before the end of what was heard the connection's first frame stands.
        var lead: Duration
        /// Whether all frames that stand side by side are the same.
        var isFull: Bool
    }

    /// The most places that are looked at for one stretch, the newest first. With more of them it is ambiguous in any
    /// case.
    private static let mostPlaces = 16
    /// The most places among which time may choose. With more of them, frames are too short for time to tell them
    /// apart.
    private static let mostTimed = 2_048

    private let heard: HeardIndex
    /// For each heard frame how long the ones before it play, in nanoseconds; last, how long all of them play.
    private let starts: [Int64]
    /// The last eight heard frames, where those are different enough to tell.
    private let tail: UInt64?
    /// Where the last eight heard frames were heard, the newest place first; empty where they do not tell.
    private let tailPlaces: [Int]
    private var new = PrefixSums()
    /// How long the new frames before each one play, in nanoseconds; last, how long all of them play.
    private var played: [Int64] = [0]
    /// The counts of new frames at which the newest eight were the last eight heard; of too many the oldest are
    /// forgotten.
    private var ends: [Int] = []
    /// Counts the frames that were taken and the places that were looked at: each costs the same, so this is the work.
    /// Only tests read it.
    private(set) var work = 0

    init(_ memory: FrameMemory) {
        let marks = memory.inOrder
        var (sum, starts) = (Int64(0), [Int64(0)])
        for mark in marks {
            sum += Int64(mark.nanoseconds)
            starts.append(sum)
        }
        let heard = HeardIndex(marks)
        (self.heard, self.starts, tail) = (heard, starts, heard.tail)
        tailPlaces = heard.tail.map { heard.places(of: $0, most: Self.mostPlaces) } ?? []
        work = marks.count
    }

    /// Whether the last eight frames heard were heard before as well: a loop, a jingle, or a silence. Then frames alone
    /// tell no place. In a silence a place that looks like the only one need not be: of those that end with what was
    /// heard, only the ones are seen whose last eight frames tell.
    var endsInRepeat: Bool { heard.endsInRepeat }

    /// New frames so far.
    var count: Int { new.count }

    /// Takes the next frame of the connection.
    mutating func add(_ mark: FrameMark) {
        work += 1
        new.append(mark.fingerprint)
        played.append((played.last ?? 0) + Int64(mark.nanoseconds))
        guard let tail, newestKey == tail, new.isTelling(upTo: count) else { return }
        if ends.count == Self.mostPlaces { ends.removeFirst() }
        ends.append(count)
    }
}

// MARK: - The connection's own time

extension FrameMatcher {
    /// When a new frame starts, in the connection's media time; for `count`, when the last one ends.
    func time(ofFrame frame: Int) -> Duration { .nanoseconds(played[frame]) }

    /// How many of the first new frames end within a media time.
    func count(endingWithin time: Duration) -> Int {
        max(0, Self.firstIndex(in: played) { $0 > time.wholeNanoseconds } - 1)
    }
}

// MARK: - Places that frames tell

extension FrameMatcher {
    /// The places where enough frames in sequence are the same, up to the end of what was heard or to the newest frame;
    /// where any fits without exception, only those that do.
    mutating func told() -> [Alignment] {
        var offsets: Set<Int> = []
        for end in ends {
            for place in tailPlaces {
                offsets.insert(place + 1 - end)
                work += 1
            }
        }
        if let newestKey, new.isTelling(upTo: count) {
            for place in heard.places(of: newestKey, most: Self.mostPlaces) {
                offsets.insert(place + 1 - count)
                work += 1
            }
        }
        let all = offsets.map(alignment).filter { $0.isFull || isMatched($0) }
        work += offsets.count
        let full = all.filter(\.isFull)
        return full.isEmpty ? all : full
    }

    /// Whether enough frames up to the end of either side are the same.
    private func isMatched(_ alignment: Alignment) -> Bool {
        agrees(alignment.offset, from: min(count, alignment.drop) - HeardIndex.length)
    }

    /// Whether all frames from `start` on that stand side by side are the same, should the first one stand at `offset`.
    func agrees(_ offset: Int, from start: Int) -> Bool {
        let end = min(count, heard.count - offset)
        guard start >= max(0, -offset), start < end else { return false }
        return new.sum(start..<end) == heard.sums.sum(start + offset..<end + offset)
    }

    /// Counts the connection's frames that lie beside heard frames at this place and were never heard: something that
    /// the server put in front of the programme.
    func countUnheard(at place: Alignment) -> Int {
        let beside = min(max(0, -place.offset), place.drop)..<min(place.drop, count)
        guard !place.isFull, !beside.isEmpty else { return 0 }
        let known = Set((0..<heard.count).map { heard.sums.sum($0..<$0 + 1) })
        return beside.count { !known.contains(new.sum($0..<$0 + 1)) }
    }

    private var newestKey: UInt64? {
        count >= HeardIndex.length ? new.sum(count - HeardIndex.length..<count) : nil
    }
}

// MARK: - Places that time tells

extension FrameMatcher {
    /// The places whose lead is within `tolerance` of the one given, and that fit without exception, even where only a
    /// frame or two stand side by side.
    mutating func fitting(_ lead: Duration, within tolerance: Duration) -> [Alignment] {
        let first = offset(ofLead: lead + tolerance)
        var found: [Alignment] = []
        var offset = max(first, 1 - count)
        while offset < heard.count, offset < first + Self.mostTimed {
            work += 1
            let candidate = alignment(offset)
            if candidate.lead < lead - tolerance { break }
            if candidate.isFull, candidate.lead <= lead + tolerance { found.append(candidate) }
            offset += 1
        }
        return found
    }

    /// Where the first frame of a connection with this lead stands, or the place before.
    private func offset(ofLead lead: Duration) -> Int {
        let end = starts.last ?? 0
        let (target, before) = (lead.wholeNanoseconds, lead.wholeNanoseconds - end)
        // Before the oldest heard frame, the connection's own frames measure the distance.
        if before > 0 { return -(Self.firstIndex(in: played) { $0 >= before }) }
        return max(0, Self.firstIndex(in: starts) { $0 > end - target } - 1)
    }

    /// By bisection: the sums only grow.
    private static func firstIndex(in sums: [Int64], where isBeyond: (Int64) -> Bool) -> Int {
        var (low, high) = (0, sums.count)
        while low < high {
            let middle = (low + high) / 2
            if isBeyond(sums[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// How the frames stand if the first one stands at `offset`.
    func alignment(_ offset: Int) -> Alignment {
        let end = starts.last ?? 0
        let lead = offset >= 0 ? end - starts[min(offset, heard.count)] : end + played[min(-offset, count)]
        return Alignment(
            offset: offset, drop: heard.count - offset, lead: .nanoseconds(lead),
            isFull: agrees(offset, from: max(0, -offset)))
    }
}

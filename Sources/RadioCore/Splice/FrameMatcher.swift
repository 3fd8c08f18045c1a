// SPDX-License-Identifier: MIT

import Instants

/// Aligns the frames of a connection with the frames already delivered, as far as ``FrameMemory`` holds them.
///
/// Both sides are sequences of numbers, one per frame. Prefix sums of a polynomial (after Karp and Rabin) compare two
/// runs of frames in constant time, and ``HeardIndex`` finds the places at which the newest eight frames were
/// delivered. The cost of a frame or a query therefore does not depend on what the stream contains.
struct FrameMatcher: Sendable {
    /// A possible alignment of the connection's frames with the delivered frames.
    struct Alignment: Hashable, Sendable {
        /// The place of the connection's first frame, counted from the oldest remembered frame; negative if it lies
        /// before that frame.
        var offset: Int
        /// How many of the connection's frames, counted from its first, were already delivered under this alignment.
        /// May exceed the number received.
        var drop: Int
        /// The time from the connection's first frame to the end of the delivered frames.
        var lead: Duration
        /// Whether all overlapping frames are equal.
        var isFull: Bool
    }

    /// The maximum number of places that are examined for one run of eight frames, newest first. A run with more places
    /// is ambiguous anyway.
    private static let mostPlaces = 16
    /// The maximum number of candidate places for which time may decide. If there are more, the frames are too short to
    /// be told apart by time.
    private static let mostTimed = 2_048

    private var heard = HeardIndex()
    /// The start of each delivered frame in nanoseconds; the last element is the playing time of all these frames.
    private var starts: [Int64] = [0]
    /// The key of the last eight delivered frames; nil if they are not distinct enough to determine a place.
    private var tail: UInt64?
    /// The places at which these eight frames were delivered, newest first; empty if ``tail`` is nil.
    private var tailPlaces: [Int] = []
    private var new = PrefixSums()
    /// The start of each of the connection's frames in nanoseconds; the last element is the playing time of all these
    /// frames.
    private var played: [Int64] = [0]
    /// The values of ``count`` at which the connection's newest eight frames equalled the last eight delivered frames;
    /// only the latest ``mostPlaces``.
    private var ends: [Int] = []
    /// The number of frames added and places examined: each costs the same, so this measures the work. Only tests read
    /// it.
    private(set) var work = 0

    /// The offset of the frames since a run of eight that was delivered at one place only. All of them are equal, or
    /// after the end of the delivered frames; a single changed frame close to that end does not matter.
    private(set) var followed: Int?
    /// The changed frame.
    private var changed: Int?
    /// The offsets that were followed until a frame differed, and the number of that frame.
    private(set) var losses: [(offset: Int, frame: Int)] = []

    init(_ memory: FrameMemory) {
        extend(memory.inOrder)
    }

    /// Takes frames that were delivered since.
    mutating func extend(_ marks: [FrameMark]) {
        guard !marks.isEmpty else { return }
        let before = heard.count
        for mark in marks {
            starts.append((starts.last ?? 0) + Int64(mark.nanoseconds))
            heard.append(mark)
        }
        tail = heard.tail
        tailPlaces = tail.map { heard.places(of: $0, most: Self.mostPlaces) } ?? []
        work += marks.count
        guard count > 0 else { return }
        ends = []
        for end in 1...count where new.isTelling(upTo: end) {
            if new.sum(end - HeardIndex.length..<end) == tail { note(end) }
        }
        work += count
        for place in before..<heard.count { if let followed { compare(place - followed, followed) } }
    }

    /// Whether the last eight delivered frames were also delivered earlier: in a loop, a jingle or silence. Frames
    /// alone then determine no place. In silence, even a single place may be wrong, because a place at the end of the
    /// delivered frames is found only if the last eight frames are distinct enough.
    var endsInRepeat: Bool { heard.endsInRepeat }

    /// Whether the last eight delivered frames are not distinct enough to determine a place, as in silence.
    var endsAlike: Bool { tail == nil }

    /// Whether all of the connection's frames so far are among the last eight delivered ones.
    var repeatsEnd: Bool {
        let last = max(0, heard.count - HeardIndex.length)..<heard.count
        return last.contains { $0 + count <= heard.count && agrees($0, from: 0) }
    }

    /// The number of the connection's frames so far.
    var count: Int { new.count }

    /// Takes the next frame of the connection.
    mutating func add(_ mark: FrameMark) {
        work += 1
        new.append(mark.fingerprint)
        played.append((played.last ?? 0) + Int64(mark.nanoseconds))
        if let followed { compare(count - 1, followed) }
        guard let newestKey, new.isTelling(upTo: count) else { return }
        if newestKey == tail { note(count) }
        if followed == nil, let place = heard.onlyPlace(of: newestKey) { follow(place + 1 - count) }
    }

    /// Follows an offset from the newest frame on; nil follows none.
    mutating func follow(_ offset: Int?) { (followed, changed) = (offset, nil) }

    private mutating func note(_ end: Int) {
        if ends.count == Self.mostPlaces { ends.removeFirst() }
        ends.append(end)
    }

    /// Compares one of the connection's frames with the delivered frame at its place, if there is one.
    private mutating func compare(_ frame: Int, _ offset: Int) {
        let place = frame + offset
        guard (0..<count).contains(frame), (0..<heard.count).contains(place) else { return }
        guard new.sum(frame..<frame + 1) != heard.sums.sum(place..<place + 1) else { return }
        if changed == nil, heard.count - place <= HeardIndex.length { return changed = frame }
        followed = nil
        if losses.count == Self.mostPlaces { losses.removeFirst() }
        losses.append((offset, changed == frame - 1 ? frame - 1 : frame))
    }
}

// MARK: - The connection's own time

extension FrameMatcher {
    /// The start of one of the connection's frames in its media time; for ``count``, the end of the last frame.
    func time(ofFrame frame: Int) -> Duration { .nanoseconds(played[frame]) }

    /// The number of the connection's frames that end within a media time.
    func count(endingWithin time: Duration) -> Int {
        max(0, (0..<played.count).firstByBisection { played[$0] > time.wholeNanoseconds } - 1)
    }
}

// MARK: - Places determined by frames

extension FrameMatcher {
    /// The alignments with enough consecutive equal frames, either up to the end of the delivered frames or up to the
    /// connection's newest frame. If some of these alignments are full, only the full ones are returned.
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

    /// Whether the last eight overlapping frames are equal.
    private func isMatched(_ alignment: Alignment) -> Bool {
        agrees(alignment.offset, from: min(count, alignment.drop) - HeardIndex.length)
    }

    /// Whether all overlapping frames from `start` on are equal, if the connection's first frame is at `offset`. False
    /// if no frame from `start` on overlaps.
    func agrees(_ offset: Int, from start: Int) -> Bool {
        let end = min(count, heard.count - offset)
        guard start >= max(0, -offset), start < end else { return false }
        return new.sum(start..<end) == heard.sums.sum(start + offset..<end + offset)
    }

    /// The alignment at the end of the delivered audio that fewer than eight frames prove: those with which the
    /// connection begins, or goes on behind an advert that was delivered before, or all that were delivered `since` the
    /// last gap. Nil if there is none, or if these frames were delivered elsewhere as well.
    mutating func shortTail(since: Int?) -> Alignment? {
        let begins = [losses.last?.frame ?? 0, 0]
        for length in (1..<HeardIndex.length).reversed() where length <= min(count, heard.count) {
            let tail = heard.sums.sum(heard.count - length..<heard.count)
            let start = (length == since ? (0...count - length).reversed() : begins).first {
                $0 + length <= count && new.sum($0..<$0 + length) == tail && (length > 1 || isDistinct($0))
            }
            if let start, isOnce(length) { return alignment(heard.count - length - start) }
        }
        return nil
    }

    /// Whether one of the connection's frames differs from the next one. A frame that does not may begin a silence.
    private func isDistinct(_ frame: Int) -> Bool {
        frame + 1 < count && new.sum(frame..<frame + 1) != new.sum(frame + 1..<frame + 2)
    }

    /// Whether the last `length` delivered frames are distinct, and none of them was delivered before.
    private mutating func isOnce(_ length: Int) -> Bool {
        let start = heard.count - length
        let last = Set((start..<heard.count).map { heard.sums.sum($0..<$0 + 1) })
        guard last.count == length else { return false }
        let known = (0..<start).first { last.contains(heard.sums.sum($0..<$0 + 1)) }
        work += known ?? start
        return known == nil
    }

    /// Counts the connection's frames that overlap delivered frames under this alignment but were never delivered, such
    /// as an advert that the server sent before the programme.
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

// MARK: - Places determined by time

extension FrameMatcher {
    /// The full alignments whose lead differs from `lead` by at most `tolerance`, even if only a frame or two overlap.
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

    /// The offset of the first frame of a connection with this lead, rounded down.
    private func offset(ofLead lead: Duration) -> Int {
        let end = starts.last ?? 0
        let (target, before) = (lead.wholeNanoseconds, lead.wholeNanoseconds - end)
        // Before the oldest remembered frame, the distance is measured in the connection's own frames.
        if before > 0 { return -((0..<played.count).firstByBisection { played[$0] >= before }) }
        return max(0, (0..<starts.count).firstByBisection { starts[$0] > end - target } - 1)
    }

    /// The alignment with the connection's first frame at `offset`.
    func alignment(_ offset: Int) -> Alignment {
        let end = starts.last ?? 0
        let lead = offset >= 0 ? end - starts[min(offset, heard.count)] : end + played[min(-offset, count)]
        return Alignment(
            offset: offset, drop: heard.count - offset, lead: .nanoseconds(lead),
            isFull: agrees(offset, from: max(0, -offset)))
    }
}

// SPDX-License-Identifier: MIT

package import Instants

/// Decides how a new connection goes on from what was heard: frames in, a verdict out. A value, without bytes.
///
/// The frames of the connection are held back meanwhile. What decides, in this order:
///
/// 1. A run of at least 8 frames, at least 3 of them different, that are the same as heard ones and reach to the end of
///    what was heard: everything up to there is dropped, and the rest follows without a discontinuity. Where all frames
///    that stand side by side are the same, fewer will do, if their time is right. Not before a frame follows: until then
///    the connection may be as silent as the one before it.
/// 2. Such a run that does not reach to the end yet: the server is behind us. Wait.
/// 3. Several such places (silence, a loop, a jingle that comes again): the one that fits the time at which frames were
///    at the station's edge, and none where none fits: rather a frame twice than one lost.
/// 4. None, and frames have come at real-time pace for 2 s, or 45 s of audio or 1 MiB are held: a gap, as long as the
///    time between the end of what was heard and the first frame held.
package struct Splicer: Sendable {
    package enum Verdict: Hashable, Sendable {
        /// Go on holding.
        case hold
        /// So many of the connection's frames were heard; what follows them is news.
        case join(drop: Int, Splice.Method)
        /// So many were heard; the rest is held on. For an edge so far behind that holding all would be too much.
        case heard(Int)
        /// Nothing of it was heard.
        case gap(Duration?)
    }

    private var finder: RunFinder
    /// When the end of what was heard was at the station's edge; nil where that is not known.
    private var tail: MonotonicInstant?
    /// The connection's own time: media time in nanoseconds since its first frame.
    package private(set) var clock = EdgeClock(sampleRate: Self.nanosecondRate)
    /// How long all frames of the connection play, and those of them that the clock has been told of.
    private var played: Int64 = 0
    private var clocked: Int64 = 0
    /// Frames that were found to be heard, and how long they play.
    private var dropped = 0
    package private(set) var droppedPlay: Int64 = 0
    private var heldBytes = 0
    /// How far the connection is behind what was heard, where its place is known: none of its frames is news yet.
    package private(set) var behind: Duration?
    /// When a verdict was asked for last.
    private var askedAt: MonotonicInstant?

    package static let nanosecondRate = 1_000_000_000
    /// Real-time pace for so long, and the burst is over for certain.
    private static let pace = Duration.seconds(2)
    /// After so long without a less delayed arrival the time of frames can be trusted.
    private static let calm = Duration.seconds(1)
    private static let mostHeld = Duration.seconds(45)
    private static let mostHeldBytes = 1 << 20
    /// How far the time of a place may be off where frames alone do not tell.
    private static let tolerance = Duration.milliseconds(1_500)
    /// Places closer together than this are told apart by nothing but time.
    private static let nearby = Duration.milliseconds(200)

    /// What was heard, and when its end was at the station's edge.
    package init(after memory: FrameMemory, tail: MonotonicInstant?) {
        finder = RunFinder(memory)
        self.tail = tail
    }

    /// More was heard meanwhile: the connection's frames, all of which these are, stand beside that.
    package mutating func rejoin(after memory: FrameMemory, tail: MonotonicInstant?, _ marks: [FrameMark]) {
        finder = RunFinder(memory)
        played = 0
        for mark in marks { add(mark, bytes: 0) }
        self.tail = tail
    }

    /// The connection's next frame. It and what stands before it take so many bytes.
    package mutating func add(_ mark: FrameMark, bytes: Int) {
        finder.add(mark)
        played += Int64(mark.nanoseconds)
        heldBytes += bytes
    }

    /// When a verdict is to be asked for although nothing has arrived: time alone may decide then.
    package var deadline: MonotonicInstant? {
        guard let pacedSince = clock.pacedSince, let askedAt else { return nil }
        return [pacedSince + Self.calm, pacedSince + Self.pace].first { $0 > askedAt }
    }

    /// All frames up to here have arrived; a verdict is asked for at each delivery and at ``deadline``. `mayGap` is false
    /// while the connection before this one may still come back; where too much is held it is a gap all the same.
    package mutating func arrived(at now: MonotonicInstant, mayGap: Bool) -> Verdict {
        guard finder.count > 0 else { return .hold }
        askedAt = now
        if played > clocked {
            clock.arrived(from: clocked, upTo: played, now: now)
            clocked = played
        }
        behind = nil
        if let place = place(now) {
            // Without a frame that is news it brings no more than the connection before it.
            if isNews(place.candidate) { return .join(drop: place.candidate.drop, place.method) }
            behind = place.candidate.lead - .nanoseconds(played)
            return isTooMuch ? heardAll() : .hold
        }
        return (mayGap && hasPaced(for: Self.pace, now)) || isTooMuch ? .gap(gap) : .hold
    }

    /// The connection is over, and undecided: what is most likely.
    package mutating func conclude() -> Verdict {
        guard finder.count > dropped else { return .hold }
        let pool = Self.pool(candidates())
        guard let found = pool.count == 1 ? pool.first : nearest(pool) else { return .gap(gap) }
        return isNews(found) ? .join(drop: found.drop, method(of: found, in: pool)) : heardAll()
    }

    private func isNews(_ place: RunFinder.Candidate) -> Bool { place.isComplete && place.drop < finder.count }
}

// MARK: - Where the frames stand

extension Splicer {
    private struct Place {
        var candidate: RunFinder.Candidate
        var method: Splice.Method
    }

    /// All places that do not want back what is held no more.
    private func candidates(onlyStrong: Bool = false) -> [RunFinder.Candidate] {
        (finder.complete + finder.pending(onlyStrong: onlyStrong)).filter { $0.drop >= dropped }
    }

    /// The place at which the new frames stand, if that is decided.
    private func place(_ now: MonotonicInstant) -> Place? {
        // Time can be trusted once the burst is over.
        let isTimeKnown = hasPaced(for: Self.calm, now)
        let candidates = candidates(onlyStrong: !isTimeKnown)
        let strong = Self.strong(candidates)
        if strong.count == 1, let only = strong.first { return Place(candidate: only, method: .match) }
        let pool = Self.pool(candidates)
        guard isTimeKnown, let found = nearest(pool) else { return nil }
        return Place(candidate: found, method: method(of: found, in: pool))
    }

    /// Those that are no accident; where any fit without exception, only those.
    private static func strong(_ candidates: [RunFinder.Candidate]) -> [RunFinder.Candidate] {
        let strong = candidates.filter(\.isStrong)
        let full = strong.filter(\.isFull)
        return full.isEmpty ? strong : full
    }

    /// Among which time has to tell: the strong ones, and short ones that fit without exception.
    private static func pool(_ candidates: [RunFinder.Candidate]) -> [RunFinder.Candidate] {
        strong(candidates) + candidates.filter { $0.isFull && !$0.isStrong }
    }

    /// The candidate whose time is right. Of those that only time can tell apart the first that does not drop too much.
    private func nearest(_ pool: [RunFinder.Candidate]) -> RunFinder.Candidate? {
        guard let lead else { return pool.filter(\.isComplete).min { $0.drop < $1.drop } }
        func offset(_ candidate: RunFinder.Candidate) -> Duration { Self.distance(candidate.lead, lead) }
        let closest = pool.min { offset($0) < offset($1) }
        guard let closest, offset(closest) <= Self.tolerance else { return nil }
        let cautious = pool.filter { $0.lead <= lead && Self.distance($0.lead, closest.lead) < Self.nearby }
        return cautious.min { offset($0) < offset($1) } ?? closest
    }

    private func method(of found: RunFinder.Candidate, in pool: [RunFinder.Candidate]) -> Splice.Method {
        pool.contains { $0.drop != found.drop && Self.distance($0.lead, found.lead) < Self.nearby } ? .time : .match
    }

    private static func distance(_ left: Duration, _ right: Duration) -> Duration {
        left < right ? right - left : left - right
    }
}

// MARK: - When they came

extension Splicer {
    /// How long before the end of what was heard the connection's first frame was at the edge; negative: after it.
    private var lead: Duration? {
        guard let tail, let first = clock.instant(ofSample: 0) else { return nil }
        return tail - first
    }

    /// From the end of what was heard to the first frame held.
    private var gap: Duration? {
        lead.map { max(.zero, .nanoseconds(droppedPlay) - $0) }
    }

    private func hasPaced(for period: Duration, _ now: MonotonicInstant) -> Bool {
        clock.pacedSince.map { now - $0 >= period } ?? false
    }
}

// MARK: - What is held

extension Splicer {
    private var isTooMuch: Bool {
        heldBytes >= Self.mostHeldBytes || .nanoseconds(played - droppedPlay) >= Self.mostHeld
    }

    private mutating func heardAll() -> Verdict {
        defer {
            dropped = finder.count
            droppedPlay = played
            heldBytes = 0
        }
        return .heard(finder.count - dropped)
    }
}

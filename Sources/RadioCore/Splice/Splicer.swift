// SPDX-License-Identifier: MIT

package import Instants

/// Decides how a new connection goes on from what was heard: frames in, a verdict out. A value, without bytes.
///
/// The frames of the connection are held back meanwhile. A frame is dropped only where it is certain that it was heard:
/// its bytes are the same, and the time agrees. What decides, in this order:
///
/// 1. One place at which enough frames are the same as heard ones: everything up to the end of what was heard is
///    dropped, and the rest follows without a discontinuity. Until that end is reached the server is behind us: wait.
///    Its edge may be late by half a minute at the most. Frames that would have to be later than that, and come at
///    real-time pace, are new: the station repeats itself.
/// 2. Several such places (silence, a loop, a jingle that comes again), or the last frames heard were heard before: the
///    place that fits the time at which frames were at the edge, and none where none fits.
/// 3. No place, and frames have come at real-time pace for 2 s, or 45 s of audio or 1 MiB are held: a gap, as long as
///    the time between the end of what was heard and the first frame kept. Of another encoder's frames, those on air
///    before the end of what was heard are dropped. A burst that reaches back to before the first frame heard is held
///    for as long as it takes.
package struct Splicer: Sendable {
    package enum Verdict: Hashable, Sendable {
        /// Go on holding.
        case hold
        /// The first `drop` frames of the connection were heard; the frames after them are new.
        case join(drop: Int, Splice.Method)
        /// This many more frames were heard; the rest stays held.
        case heard(Int)
        /// It does not go on from what was heard. The first `drop` frames of the connection are left out.
        case gap(drop: Int, Seam)
    }

    /// What a connection is to go on from.
    package struct Heard: Sendable {
        package var memory: FrameMemory
        /// When the end of it was at the station's edge; nil where that is not known.
        package var tail: MonotonicInstant?

        package init(_ memory: FrameMemory, tail: MonotonicInstant?) {
            (self.memory, self.tail) = (memory, tail)
        }

        /// When the first frame that is remembered was at the edge.
        var start: MonotonicInstant? { tail.map { $0 - memory.duration } }
    }

    private var heard: Heard
    /// Readable for tests, which count its work.
    private(set) var matcher: FrameMatcher
    /// Whether the connection is to another address than the one heard, which may have an encoder of its own.
    private let isMirror: Bool
    /// Frames of the connection that are not held any more, because they were heard.
    private var dropped = 0
    private var heldBytes = 0
    /// Where the connection stands, once only one place was left.
    private var place: Place?
    /// The connection was behind what was heard, and its frames differ now: audio is missing in what was heard. Until
    /// this media time of the connection, its frames may come back to what was heard.
    private var mayReturnUntil: Duration?
    /// How far the connection is behind what was heard, where its place is known: none of its frames is new yet.
    package private(set) var behind: Duration?
    /// Of the frames that a ``Verdict/join(drop:_:)`` drops, the number that were never heard. A server put them in
    /// front of the programme, or they aired during an earlier gap.
    package private(set) var unheard = 0
    /// When a verdict was asked for last.
    private var askedAt: MonotonicInstant?

    private struct Place {
        var offset: Int
        /// The first of the frames that tell the place.
        var from: Int
        /// The connection had nothing newer to send than what was heard, and was silent: it is not late, the source is.
        var hadNoNews = false
    }

    /// After real-time pace for this long, no more of a burst is to be expected.
    private static let pace = Duration.seconds(2)
    /// After this long without a less delayed arrival, the time of frames can be trusted.
    private static let calm = Duration.seconds(1)
    private static let mostHeld = Duration.seconds(45)
    private static let mostHeldBytes = 1 << 20
    private static let mostGrownBytes = 8 << 20
    /// How far the time of a place may be off where frames alone do not tell.
    private static let tolerance = Duration.milliseconds(1_500)
    /// The latest edge that is waited for.
    private static let latest = Duration.seconds(30)
    /// Places closer together than this are told apart by nothing but time.
    private static let nearby = Duration.milliseconds(200)

    /// For a connection that may go on from `heard`. `isMirror`: it is to another address of the station than the one
    /// heard.
    package init(after heard: Heard, isMirror: Bool = false) {
        self.heard = heard
        self.isMirror = isMirror
        matcher = FrameMatcher(heard.memory)
    }

    /// More was heard meanwhile: compares the connection with that. `marks` are all of its frames.
    package mutating func rejoin(after heard: Heard, _ marks: [FrameMark]) {
        self.heard = heard
        matcher = FrameMatcher(heard.memory)
        (place, mayReturnUntil) = (nil, nil)
        for mark in marks { matcher.add(mark) }
    }

    /// The connection's next frame. `bytes`: the size of the frame and of the parts before it.
    package mutating func add(_ mark: FrameMark, bytes: Int) {
        matcher.add(mark)
        heldBytes += bytes
    }

    /// When a verdict is to be asked for although nothing has arrived: time alone may decide then.
    package func deadline(_ edge: EdgeClock) -> MonotonicInstant? {
        guard let askedAt, let paced = edge.pacedSince, let live = edge.livePaceSince else { return nil }
        return [paced + Self.calm, paced + Self.pace, live + Self.pace].filter { $0 > askedAt }.min()
    }

    /// All frames so far have arrived, and the connection's clock knows it; a verdict is asked for at each delivery and
    /// at ``deadline(_:)``. `mayGap` is false while the connection before this one may still come back; where too much
    /// is held it is a gap all the same.
    package mutating func arrived(_ edge: EdgeClock, at now: MonotonicInstant, mayGap: Bool) -> Verdict {
        guard matcher.count > 0 else { return .hold }
        askedAt = now
        behind = nil
        if let found = place(edge, now) {
            let isNews = found.drop < matcher.count
            let isInTime = isInTime(found, edge)
            // Without a new frame the connection brings no more than the one before it.
            if isNews, isInTime { return join(found, edge) }
            if !isNews, isInTime {
                behind = behindEnd(found)
                return isTooMuch(edge) ? leaveOut(upTo: matcher.count) : .hold
            }
            // The frames of a burst are old; how old is known when the burst is over.
            if !isNews, !isCalm(edge, now), !hasKeptPace(edge, now), heldBytes < Self.mostGrownBytes { return .hold }
        }
        return isTooMuch(edge) || mayGap && hasKeptPace(edge, now) && !mayReturn ? gap(edge) : .hold
    }

    /// The connection is over, and undecided: returns the most likely verdict.
    package mutating func conclude(_ edge: EdgeClock) -> Verdict {
        guard matcher.count > dropped else { return .hold }
        let found = onlyPlace() ?? timedPlace(edge)
        guard let found else { return gap(edge) }
        // A burst that ends where the heard audio ends: the server had nothing newer, however late the burst came.
        guard hasNoNews(found) || isInTime(found, edge) else { return gap(edge) }
        return found.drop < matcher.count ? join(found, edge) : leaveOut(upTo: matcher.count)
    }

    private mutating func join(_ place: FrameMatcher.Alignment, _ edge: EdgeClock) -> Verdict {
        unheard = matcher.countUnheard(at: place)
        return .join(drop: place.drop, method(of: place, edge))
    }
}

// MARK: - Where the frames stand

extension Splicer {
    /// The place at which the frames stand, as far as is known by now: the one that the frames tell, unless it turns
    /// out to be too late, or the one that time tells.
    private mutating func place(_ edge: EdgeClock, _ now: MonotonicInstant) -> FrameMatcher.Alignment? {
        let isCalm = isCalm(edge, now)
        if let told = toldPlace(edge) {
            // The last frame may wait for the header behind it.
            if hasNoNews(told), isIdle(edge, now) { place?.hadNoNews = true }
            if !isCalm || isInTime(told, edge) { return told }
        }
        return isCalm ? timedPlace(edge) : nil
    }

    /// Once only one place was left, it stays: in a silence on the way only the frames before the silence tell.
    private mutating func toldPlace(_ edge: EdgeClock) -> FrameMatcher.Alignment? {
        if let place {
            let old = matcher.alignment(place.offset)
            if matcher.agrees(place.offset, from: place.from) { return old }
            if isInTime(old, edge) { mayReturnUntil = max(mayReturnUntil ?? .zero, old.lead) }
        }
        place = nil
        guard let only = onlyPlace() else { return nil }
        let end = min(only.drop, matcher.count)
        place = Place(
            offset: only.offset, from: only.isFull ? max(0, -only.offset) : end - HeardIndex.length)
        return only
    }

    /// The place where enough frames are the same, if there is exactly one.
    private mutating func onlyPlace() -> FrameMatcher.Alignment? {
        let told = matcher.told().filter { $0.drop >= dropped }
        return told.count == 1 ? told[0] : nil
    }

    /// Of all places that fit, the one whose time is closest. Of those that only time can tell apart, the closest that
    /// does not drop too much.
    private mutating func timedPlace(_ edge: EdgeClock) -> FrameMatcher.Alignment? {
        guard let lead = lead(edge) else { return nil }
        let pool = timed(edge)
        func offset(_ place: FrameMatcher.Alignment) -> Duration { Self.distance(place.lead, lead) }
        guard let closest = pool.min(by: { offset($0) < offset($1) }) else { return nil }
        let cautious = pool.filter { $0.lead <= lead && Self.distance($0.lead, closest.lead) < Self.nearby }
        return cautious.min { offset($0) < offset($1) } ?? closest
    }

    private mutating func timed(_ edge: EdgeClock) -> [FrameMatcher.Alignment] {
        guard let lead = lead(edge) else { return [] }
        return matcher.fitting(lead, within: Self.tolerance).filter { $0.drop >= dropped }
    }

    private mutating func method(of found: FrameMatcher.Alignment, _ edge: EdgeClock) -> Splice.Method {
        let others = timed(edge).filter { $0.drop != found.drop && Self.distance($0.lead, found.lead) < Self.nearby }
        return others.isEmpty ? .match : .time
    }

    /// How much of what was heard the connection has yet to bring, should this be its place.
    private func behindEnd(_ place: FrameMatcher.Alignment) -> Duration {
        max(.zero, place.lead - matcher.time(ofFrame: matcher.count))
    }

    /// Whether the connection ends, at this place, where what was heard ends.
    private func hasNoNews(_ place: FrameMatcher.Alignment) -> Bool {
        place.drop >= matcher.count && behindEnd(place) < Self.nearby && !matcher.endsInRepeat
    }

    private static func distance(_ left: Duration, _ right: Duration) -> Duration {
        left < right ? right - left : left - right
    }
}

// MARK: - When they came

extension Splicer {
    /// How long before the end of what was heard the connection's first frame was at the edge; negative: after it. This
    /// may turn out to be longer while a burst goes on.
    private func lead(_ edge: EdgeClock) -> Duration? {
        guard let tail = heard.tail, let first = edge.origin else { return nil }
        return tail - first
    }

    /// How much later the frames come than on the edge that was heard, should this be their place; at the most, while a
    /// burst goes on.
    private func lateness(_ place: FrameMatcher.Alignment, _ edge: EdgeClock) -> Duration? {
        lead(edge).map { place.lead - $0 }
    }

    private func isInTime(_ found: FrameMatcher.Alignment, _ edge: EdgeClock) -> Bool {
        guard let lateness = lateness(found, edge) else { return true }
        if let place, place.hadNoNews, place.offset == found.offset { return true }
        return lateness <= Self.tolerance + (matcher.endsInRepeat ? .zero : Self.latest)
    }

    private func isCalm(_ edge: EdgeClock, _ now: MonotonicInstant) -> Bool {
        edge.pacedSince.map { now - $0 >= Self.calm } ?? false
    }

    private var mayReturn: Bool { mayReturnUntil.map { matcher.time(ofFrame: matcher.count) < $0 } ?? false }

    /// Nothing has come for a while, though a burst is over.
    private func isIdle(_ edge: EdgeClock, _ now: MonotonicInstant) -> Bool {
        edge.lastArrival.map { now - $0 >= Self.calm } ?? false
    }

    private func hasKeptPace(_ edge: EdgeClock, _ now: MonotonicInstant) -> Bool {
        edge.livePaceSince.map { now - $0 >= Self.pace } ?? false
    }
}

// MARK: - What is left out, and what is held

extension Splicer {
    /// Whether too much is held to wait any longer. Frames from before the first remembered one say nothing yet: a
    /// burst that has grown may begin with them, and the heard frames are still to come.
    private func isTooMuch(_ edge: EdgeClock) -> Bool {
        let older = max(dropped, countOlder(edge))
        let held = matcher.time(ofFrame: matcher.count) - matcher.time(ofFrame: older)
        return heldBytes >= (older > dropped ? Self.mostGrownBytes : Self.mostHeldBytes) || held >= Self.mostHeld
    }

    private mutating func leaveOut(upTo count: Int) -> Verdict {
        defer {
            dropped = count
            heldBytes = 0
        }
        return .heard(count - dropped)
    }

    /// How many of the first frames were on air before the first one that is remembered. While a burst goes on they may
    /// turn out to be older still.
    private func countOlder(_ edge: EdgeClock) -> Int {
        guard let start = heard.start, let first = edge.origin else { return 0 }
        return matcher.count(endingWithin: start - Self.tolerance - first)
    }

    /// The first frame that is kept does not go on from what was heard.
    private mutating func gap(_ edge: EdgeClock) -> Verdict {
        let told = matcher.told().filter { $0.drop >= dropped }
        var drop = dropped
        if isMirror, told.isEmpty, edge.isSettled, let lead = lead(edge) {
            drop = min(max(dropped, matcher.count(endingWithin: lead)), matcher.count - 1)
        }
        var seam = Seam(start: edge.instant(of: matcher.time(ofFrame: drop)))
        seam.trimmedFrames = Int64(drop - dropped)
        if let start = seam.start, let tail = heard.tail {
            seam.missing = max(.zero, start - tail)
            seam.overlap = max(.zero, tail - start)
        }
        seam.repeats = told.compactMap { lateness($0, edge) }.filter { $0 > Self.tolerance }.min()
        return .gap(drop: drop, seam)
    }
}

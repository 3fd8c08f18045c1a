// SPDX-License-Identifier: MIT

package import Instants

/// Decides how a new connection continues the audio already delivered: frame fingerprints in, a verdict out. A value
/// that holds no bytes of audio.
///
/// The caller holds the connection's frames back until the verdict. Frames are dropped if they were certainly delivered
/// before: their bytes are equal, and the time agrees. So are those before them (``unheard``), and, of a server that
/// sends other frames each time, those that time calls old (``usualBurst``). `docs/splices.md` has the rules.
package struct Splicer: Sendable {
    package enum Verdict: Hashable, Sendable {
        /// Keep holding all frames.
        case hold
        /// Drop the first `drop` frames of the connection; the frames after them are new.
        case join(drop: Int, Splice.Method)
        /// Drop this many more frames, which were delivered before or belong into a gap, and keep holding the rest.
        case heard(Int)
        /// The connection does not continue the delivered audio. Drop its first `drop` frames.
        case gap(drop: Int, Seam)
    }

    /// The delivered audio that a connection may continue.
    package struct Heard: Sendable {
        package var memory: FrameMemory
        /// When the end of the delivered audio was at the station's edge; nil if unknown.
        package var tail: MonotonicInstant?
        /// When that end was at the edge at the latest, if audio may be missing before it.
        package var latestTail: MonotonicInstant?

        package init(_ memory: FrameMemory, tail: MonotonicInstant?, latestTail: MonotonicInstant? = nil) {
            (self.memory, self.tail, self.latestTail) = (memory, tail, latestTail)
        }

        /// When the oldest remembered frame was at the station's edge.
        var start: MonotonicInstant? { tail.map { $0 - memory.duration } }
    }

    /// How far the connection's server is behind the station's edge; nil if unknown.
    package var lag: Duration?
    /// The station's usual burst if the server seems to give each client other frames; else nil.
    package var usualBurst: Duration?
    private var heard: Heard
    /// The number of the first frame that ``matcher`` knows, as ``FrameMemory`` counts.
    private let first: Int
    /// Readable for tests, which measure its work.
    private(set) var matcher: FrameMatcher
    /// The number of the connection's frames that were dropped because they had been delivered before.
    private var dropped = 0
    private var heldBytes = 0
    /// The place at which the connection had sent everything up to the end of the delivered audio when it fell silent:
    /// the source is late there, not the connection.
    private var silentPlace: Int?
    /// How far the connection is behind the end of the delivered audio, while its place is known and none of its frames
    /// is new; otherwise nil.
    package private(set) var behind: Duration?
    /// How many of the frames that a ``Verdict/join(drop:_:)`` drops were never delivered. The server sent them before
    /// the programme, or they aired during an earlier gap.
    package private(set) var unheard = 0
    /// Whether the connection first sent only audio that was already delivered, and then fell silent, or next to
    /// nothing else. How old that audio was when it arrived says nothing of the server then, because its source was
    /// silent.
    package var wasSilent: Bool { silentPlace != nil && silentPlace == matcher.followed }
    /// When a verdict was last requested.
    private var askedAt: MonotonicInstant?

    /// Once frames have arrived at real-time pace for this long, the burst is over.
    private static let pace = Duration.seconds(2)
    /// The times of frames can be trusted once no frame has arrived for this long with less delay than the frames
    /// before it.
    private static let calm = Duration.seconds(1)
    package static let mostHeld = Duration.seconds(45)
    package static let mostHeldBytes = 1 << 20
    private static let mostGrownBytes = 8 << 20
    /// How far a place may be off in time if frames alone do not determine it.
    private static let tolerance = Duration.milliseconds(1_500)
    /// The splicer waits for a connection whose edge is late by at most this time.
    package static let latest = Duration.seconds(30)
    /// Places that are closer together than this can be told apart only by time.
    private static let nearby = Duration.milliseconds(200)

    /// Creates the splicer of a connection that may continue `heard`.
    package init(after heard: Heard) {
        self.heard = heard
        matcher = FrameMatcher(heard.memory)
        first = heard.memory.forgotten
    }

    /// Compares the connection with audio that was delivered meanwhile, or with other gaps in it. Returns false if too
    /// much was delivered: then only a new splicer can compare it.
    package mutating func extend(to heard: Heard) -> Bool {
        guard let marks = heard.memory.marks(since: self.heard.memory) else { return false }
        self.heard = heard
        matcher.extend(marks)
        return true
    }

    /// Adds the connection's next frame. `bytes` is the size of the frame and of the parts before it.
    package mutating func add(_ mark: FrameMark, bytes: Int) {
        matcher.add(mark)
        heldBytes += bytes
    }

    /// When to request a verdict even if nothing has arrived, because time alone may decide; nil if time alone cannot
    /// decide.
    package func deadline(_ edge: EdgeClock) -> MonotonicInstant? {
        guard let askedAt, let paced = edge.pacedSince, let live = edge.livePaceSince else { return nil }
        return [paced + Self.calm, paced + Self.pace, live + Self.pace].filter { $0 > askedAt }.min()
    }

    /// Returns a verdict. Call this at each delivery and at ``deadline(_:)``, after all arrived frames were added and
    /// noted in `edge`, the connection's clock. `mayGap` is false while the previous connection may still resume; if
    /// too much is held, the verdict is a gap all the same.
    package mutating func arrived(_ edge: EdgeClock, at now: MonotonicInstant, mayGap: Bool) -> Verdict {
        guard matcher.count > 0 else { return .hold }
        askedAt = now
        behind = nil
        if let found = place(edge, now) {
            let isNew = found.drop < matcher.count
            let isInTime = isInTime(found, edge)
            // Joining requires a new frame: before that, the connection adds nothing to the delivered audio.
            if isNew, isInTime { return join(found, edge) }
            if !isNew, isInTime {
                behind = behindEnd(found)
                return isTooMuch(edge) ? leaveOut(upTo: matcher.count) : .hold
            }
            // The frames of a burst are old. How old they are is not known until the burst is over.
            if !isNew, !isCalm(edge, now), !hasKeptPace(edge, now), heldBytes < Self.mostGrownBytes { return .hold }
        }
        if mayBeBefore(edge) { return isTooMuch(edge) ? leaveOut(upTo: matcher.count) : .hold }
        return isTooMuch(edge) || mayGap && hasKeptPace(edge, now) ? trimmedBurst(edge) ?? gap(edge) : .hold
    }

    /// Returns the most likely verdict on a connection that ended before there was a verdict.
    package mutating func conclude(_ edge: EdgeClock) -> Verdict {
        guard matcher.count > dropped else { return .hold }
        guard let found = toldPlace() ?? timedPlace(edge) else {
            // Without a known lag, only frames that agreed before show that the rest belongs into a gap.
            let isElsewhere =
                mayBeBefore(edge, unknown: lag == nil ? .zero : Self.latest)
                && (lag != nil || loss(edge) != nil || matcher.repeatsEnd)
            return isElsewhere ? leaveOut(upTo: matcher.count) : trimmedBurst(edge) ?? gap(edge)
        }
        // If the burst ends where the delivered audio ends, the server had nothing newer, however late the burst came.
        guard hasNoNewFrames(found) || isInTime(found, edge) else { return gap(edge) }
        return found.drop < matcher.count ? join(found, edge) : leaveOut(upTo: matcher.count)
    }

    /// Drops a burst of other frames, up to the end of the delivered audio; nil unless the server is one that sends
    /// them.
    private mutating func trimmedBurst(_ edge: EdgeClock) -> Verdict? {
        guard lag != nil, let usualBurst, edge.lead <= usualBurst + Self.calm, let lead = lead(edge),
            loss(edge) == nil, matcher.told().isEmpty
        else { return nil }
        let old = matcher.count(endingWithin: lead)
        guard old > dropped else { return nil }
        if old == matcher.count { return leaveOut(upTo: old) }
        return gap(edge, from: old)
    }

    private mutating func join(_ place: FrameMatcher.Alignment, _ edge: EdgeClock) -> Verdict {
        if burstEnds(at: place, edge, isOver: false) { silentPlace = place.offset }
        unheard = matcher.countUnheard(at: place)
        return .join(drop: place.drop, method(of: place, edge))
    }
}

// MARK: - The place of the frames

extension Splicer {
    /// The place found so far: the place that frames determine, unless it proves to be too late; otherwise the place
    /// that time determines.
    private mutating func place(_ edge: EdgeClock, _ now: MonotonicInstant) -> FrameMatcher.Alignment? {
        let isCalm = isCalm(edge, now)
        if let told = toldPlace() {
            // The framer may still hold the last frame until the header after it arrives.
            if hasNoNewFrames(told) && isIdle(edge, now) || burstEnds(at: told, edge) { silentPlace = told.offset }
            if !isCalm || isInTime(told, edge) { return told }
        }
        return isCalm ? timedPlace(edge) : nil
    }

    /// The place determined by frames. Once found, it stays: during digital silence, only the frames before the silence
    /// determine the place.
    private mutating func toldPlace() -> FrameMatcher.Alignment? {
        if matcher.followed == nil, let only = onlyPlace() ?? matcher.shortTail(since: heard.memory.sinceBreak) {
            matcher.follow(only.offset)
        }
        return matcher.followed.map(matcher.alignment)
    }

    /// The place with enough equal frames, if there is exactly one.
    private mutating func onlyPlace() -> FrameMatcher.Alignment? {
        let told = matcher.told().filter { $0.drop >= dropped }
        return told.count == 1 ? told[0] : nil
    }

    /// The place closest in time among the places that fit. If several places are so close together that only time can
    /// tell them apart, the closest of those whose lead does not exceed the measured lead, so that not too much is
    /// dropped. Frames that are all alike equal the end of the delivered audio wherever they belong. So the connection
    /// has to begin before that end.
    private mutating func timedPlace(_ edge: EdgeClock) -> FrameMatcher.Alignment? {
        guard let lead = lead(edge), lead + Self.nearby > .zero || !matcher.endsAlike else { return nil }
        let pool = timed(edge)
        func offset(_ place: FrameMatcher.Alignment) -> Duration { (place.lead - lead).magnitude }
        guard let closest = pool.min(by: { offset($0) < offset($1) }) else { return nil }
        let cautious = pool.filter { $0.lead <= lead && ($0.lead - closest.lead).magnitude < Self.nearby }
        return cautious.min { offset($0) < offset($1) } ?? closest
    }

    private mutating func timed(_ edge: EdgeClock) -> [FrameMatcher.Alignment] {
        guard let lead = lead(edge) else { return [] }
        return matcher.fitting(lead, within: Self.tolerance).filter { $0.drop >= dropped }
    }

    private mutating func method(of found: FrameMatcher.Alignment, _ edge: EdgeClock) -> Splice.Method {
        let others = timed(edge).filter { $0.drop != found.drop && ($0.lead - found.lead).magnitude < Self.nearby }
        return others.isEmpty ? .match : .time
    }

    /// How much of the delivered audio the connection has yet to reach under this alignment.
    private func behindEnd(_ place: FrameMatcher.Alignment) -> Duration {
        max(.zero, place.lead - matcher.time(ofFrame: matcher.count))
    }

    /// Whether the connection's frames end where the delivered audio ends under this alignment.
    private func hasNoNewFrames(_ place: FrameMatcher.Alignment) -> Bool {
        place.drop >= matcher.count && behindEnd(place) < Self.nearby && !matcher.endsInRepeat
    }
}

// MARK: - The time of the frames

extension Splicer {
    /// How long before the end of the delivered audio the connection's first frame was at the edge; negative if it was
    /// at the edge later. During a burst, the lead may still grow.
    private func lead(_ edge: EdgeClock) -> Duration? {
        guard let tail = heard.tail, let first = edge.origin else { return nil }
        return tail - first + (lag ?? .zero)
    }

    /// How much later than the edge that delivered the audio this connection's edge is, under this alignment; during a
    /// burst, an upper bound.
    private func lateness(_ place: FrameMatcher.Alignment, _ edge: EdgeClock) -> Duration? {
        lead(edge).map { place.lead - $0 }
    }

    /// Whether the connection's burst, as far as it has come, ends where the delivered audio ends. `isOver`: and what
    /// followed was not sent at once.
    private func burstEnds(at place: FrameMatcher.Alignment, _ edge: EdgeClock, isOver: Bool = true) -> Bool {
        guard let origin = edge.arrivalOrigin, let end = edge.pacedSince, let newest = edge.lastArrival else {
            return false
        }
        return newest - end >= (isOver ? Self.nearby : .zero) && (end - origin - place.lead).magnitude < Self.nearby
    }

    private func isInTime(_ found: FrameMatcher.Alignment, _ edge: EdgeClock) -> Bool {
        guard let lateness = lateness(found, edge) else { return true }
        if silentPlace == found.offset { return true }
        return lateness <= Self.tolerance + (matcher.endsInRepeat ? .zero : Self.latest)
    }

    private func isCalm(_ edge: EdgeClock, _ now: MonotonicInstant) -> Bool {
        edge.pacedSince.map { now - $0 >= Self.calm } ?? false
    }

    /// Whether frames that match nothing may be from before the end of the delivered audio, from a gap in it. A
    /// connection stays in a gap no longer than the gap is long. `unknown`: how long that is if it is not known. A
    /// connection that ends without a known lag is in no such gap: it may be a mirror with other frames.
    private func mayBeBefore(_ edge: EdgeClock, unknown: Duration = latest) -> Bool {
        if matcher.repeatsEnd { return true }
        let played = matcher.time(ofFrame: matcher.count)
        guard let tail = heard.latestTail ?? heard.tail, let newest = edge.instant(of: played),
            let arrived = edge.lastArrival
        else { return false }
        if newest - (lag ?? .zero) < tail - Self.tolerance { return true }
        if let lag, newest - lag > tail + Self.tolerance + Self.nearby { return false }
        let (lost, longest): (Int, Duration?)
        if let loss = loss(edge) {
            let missing = heard.memory.missing(before: first + loss.offset + loss.frame, unknown: unknown)
            (lost, longest) = (loss.frame, missing)
        } else {
            let behind = (lag.map { $0 + Self.tolerance } ?? Self.latest) - (arrived - tail)
            (lost, longest) = (0, heard.memory.longestBreak(within: behind, unknown: unknown))
        }
        // Fewer frames behind the gap do not show that it is over.
        let last = max(lost, matcher.count - HeardIndex.length)
        return longest.map { matcher.time(ofFrame: last) - matcher.time(ofFrame: lost) <= $0 + Self.nearby } ?? false
    }

    /// Where the connection's frames last differed from the delivered audio, after they had agreed.
    private func loss(_ edge: EdgeClock) -> (offset: Int, frame: Int)? {
        matcher.losses.last { isInTime(matcher.alignment($0.offset), edge) }
    }

    /// Whether nothing has arrived for ``calm``.
    private func isIdle(_ edge: EdgeClock, _ now: MonotonicInstant) -> Bool {
        edge.lastArrival.map { now - $0 >= Self.calm } ?? false
    }

    private func hasKeptPace(_ edge: EdgeClock, _ now: MonotonicInstant) -> Bool {
        edge.livePaceSince.map { now - $0 >= Self.pace } ?? false
    }
}

// MARK: - Dropped and held frames

extension Splicer {
    /// Whether too much is held to wait any longer. Frames older than the oldest remembered frame are treated more
    /// generously: their playing time does not count, and while they are held, the byte limit is higher. A burst that
    /// has grown may begin with such frames before it reaches the delivered audio.
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

    /// The number of the connection's first frames that were on air before the oldest remembered frame. During a burst,
    /// the number may still grow.
    private func countOlder(_ edge: EdgeClock) -> Int {
        guard let start = heard.start, let first = edge.origin else { return 0 }
        return matcher.count(endingWithin: start - Self.tolerance - first)
    }

    /// Decides for a gap, because the first kept frame does not continue the delivered audio. Time alone drops the
    /// frames before `trimmed`.
    private mutating func gap(_ edge: EdgeClock, from trimmed: Int = 0) -> Verdict {
        let told = matcher.told().filter { $0.drop >= dropped }
        dropped = max(dropped, trimmed, min(loss(edge)?.frame ?? 0, matcher.count - 1))
        var seam = Seam(start: edge.instant(of: matcher.time(ofFrame: dropped)))
        seam.isTrimmed = trimmed > 0
        if let start = seam.start, let tail = heard.tail {
            seam.missing = max(.zero, start - tail)
            if !seam.isTrimmed { seam.overlap = max(.zero, tail - start) }
        }
        seam.repeats = told.compactMap { lateness($0, edge) }.filter { $0 > Self.tolerance }.min()
        return .gap(drop: dropped, seam)
    }
}

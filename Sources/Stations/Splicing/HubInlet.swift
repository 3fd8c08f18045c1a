// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import RadioFormats

/// The last step before the hub: delivers parts, remembers the frames' fingerprints, and fits the air time.
final class HubInlet {
    /// The end of the delivered audio, by which the programme can be found again: its last frames, and when they ended
    /// at the station's edge.
    struct Bookmark {
        /// The frame count at that end.
        var frames: Int64
        /// Which of the memories that began anew ``heard`` is.
        fileprivate var memoryNumber: Int
        var heard: Splicer.Heard
        /// Where that end is in the stream that brought it; nil if the stream does not state it.
        var place: StatedPlace?
        var isSettled: Bool

        /// Whether this is the end of the same audio as `old`, later.
        func continues(_ old: Bookmark) -> Bool { memoryNumber == old.memoryNumber }
    }

    /// Called when audio is missing before the next frame although the connection stayed open, with the number of
    /// missing samples if the stream states it.
    var onMissing: ((Int64?) -> Void)?
    private let hub: StreamHub
    private(set) var memory = FrameMemory()
    private var memoryNumber = 0
    /// Tracks when the programme was at the station's edge.
    private var clock = AirClock()
    /// The programme time at which the current format began.
    private var formatStart = Duration.zero
    /// Finds audio that was left out during a silence. Delays count from when programme time `zero` was due.
    private var watch = HoleWatch() {
        didSet { hub.isJudging = watch.isWatching }
    }
    private var zero = MonotonicInstant(nanoseconds: 0)
    /// Whether an unknown time has passed in a hole, so that the next connection's arrivals make a new map.
    private var isClockWrong = false
    /// The end of the audio at the clock's last update, and when the newest of it arrived.
    private var clocked: Position
    private var clockedTime = Duration.zero
    private var lastArrival: MonotonicInstant?
    /// The frame count at the last ``takeNewFrames()``.
    private var framesReported: Int64
    /// The position of the frame after the last gap, and whether the length of that gap is known.
    private var lastGap: (position: Position, isKnown: Bool)?
    /// Where the audio ends in the stream that brought it.
    private var proof = StatedOrder()
    /// The gaps whose lengths may still become known or smaller.
    private var recentGaps: [RecentGap] = []
    /// The clock when frames last came from another connection.
    private var oldClock = AirClock()

    init(hub: StreamHub) {
        self.hub = hub
        clocked = hub.position
        framesReported = hub.position.frames
    }

    /// The position of the next frame.
    var position: Position { hub.position }

    /// Whether frames have been delivered since the last call.
    func takeNewFrames() -> Bool {
        defer { framesReported = hub.position.frames }
        return hub.position.frames > framesReported
    }

    /// The end of the delivered audio.
    var bookmark: Bookmark {
        var memory = memory
        // Something may be missing in each silence that is not judged yet.
        for hole in watch.doubts {
            memory.noteBreak(Int(hub.position.frames - hole.position.frames), length: hole.longest)
        }
        return Bookmark(
            frames: hub.position.frames, memoryNumber: memoryNumber,
            heard: Splicer.Heard(
                memory, tail: memory.isEmpty ? nil : clock.instant(of: end),
                latestTail: watch.isWatching ? lastArrival : nil),
            place: proof.end, isSettled: clock.isSettled)
    }

    /// See ``StationSnapshot/drift``.
    var drift: Double? { clock.drift }

    /// The air time of the next frame, if known.
    var edge: WallInstant? { hub.airTime?.instant(ofSample: hub.position.samples) }

    /// The format of the last frames delivered.
    var format: StreamFormat? { hub.ring.format }

    /// Programme time: the playing time of all delivered audio.
    var end: Duration {
        guard let format = hub.ring.format else { return formatStart }
        return formatStart + .samples(hub.position.samples, at: format.sampleRate)
    }
}

// MARK: - Parts

extension HubInlet: StreamPartTaker {
    func take(_ part: StreamPart) {
        switch part {
        case .format(let format): begin(format)
        case .title(let text, let raw, let url): hub.setTitle(text, raw: raw, url: url)
        case .resync: hub.report(.resync)
        case .missing(let samples): onMissing?(samples)
        }
    }

    func take(_ batch: FrameBatch, _ bytes: UnsafeRawBufferPointer) {
        hub.append(batch, bytes)
        memory.append(batch)
        proof.follow(batch)
    }

    /// Changes the format. Programme time continues.
    func begin(_ format: StreamFormat) {
        guard format != hub.ring.format else { return }
        formatStart = end
        hub.begin(format)
    }
}

// MARK: - Time

extension HubInlet {
    /// Fits the air time after a delivery up to media time `media` of the connection whose clock is `edge`.
    func arrived(_ edge: EdgeClock, at media: Duration, _ clocks: ClockReading) {
        guard hub.position.frames > clocked.frames else { return }
        lookForSilence(edge, at: media, clocks.now)
        (clocked, clockedTime, lastArrival) = (hub.position, end, clocks.now)
        proof.begin()
        memory.reach(edge.lead + Splicer.latest)
        // Until it is known how much is missing, arrivals tell nothing of the map, and the map nothing of the frames.
        if watch.isWatching {
            watch.arrived(late: clocks.now - (zero + end), upTo: end, clocks.now)
        } else {
            clock.arrived(upTo: end, edge, at: media, now: clocks.now)
        }
        tellAirTime(clocks)
    }

    /// Fits the clock to frames that have arrived, but wait to be delivered.
    func hold(_ held: Duration, _ now: MonotonicInstant) {
        if held > .zero { clock.reach(end + held, now) }
    }

    /// Begins to watch for a hole if the frames that have arrived follow a silence. A connection that has just joined
    /// is compared with its own earlier frames.
    private func lookForSilence(_ edge: EdgeClock, at media: Duration, _ now: MonotonicInstant) {
        guard let lastArrival, now - lastArrival >= HoleWatch.shortestSilence else { return }
        if proof.isWhole { return }
        guard let due = clock.arrival(of: end, edge, at: media) else { return }
        if !watch.isWatching { zero = due - end }
        let marked = lastGap.flatMap { $0.position.frames > clocked.frames ? $0 : nil }
        if marked?.isKnown != true { watch.begin(at: marked?.position ?? clocked, clockedTime) }
    }

    /// Goes on with the watch for holes among the frames that wait in a connection's joint. They are delivered next.
    func takeWatch(of connection: StationConnection) {
        guard let due = connection.due, !watch.isWatching else { return }
        let shift = end - connection.joint.passed
        watch = connection.watch.moved(by: shift) { [hub] in connection.joint.position(ofFrame: $0, from: hub.position)
        }
        guard watch.isWatching else { return }
        (zero, lastArrival) = (due - shift, connection.lastArrival)
    }

    /// Whether it is still unknown if audio is missing before some of the newest frames.
    var isWatching: Bool { watch.isWatching }

    /// When to call ``findHoles(_:isOver:)`` although nothing has arrived.
    var deadline: MonotonicInstant? { watch.deadline }

    /// Reports the holes that are known by now, and returns them. `isOver`: whether the connection that brought the
    /// newest frames has ended. `isLikely`: what follows, if anything, cannot be compared in time. See
    /// ``HoleWatch/end(isLikely:)``.
    func findHoles(
        _ clocks: ClockReading, isOver: Bool = false, isLikely: Bool? = nil
    ) -> [(gap: Gap, frame: Int64)] {
        guard watch.isWatching else { return [] }
        let found =
            isLikely.map { watch.end(isLikely: $0) } ?? (isOver ? watch.conclusion() : watch.verdict(clocks.now))
        guard let found else { return [] }
        if !found.isEmpty { clock.measureAgain() }
        return found.filter { $0.position.frames < hub.position.frames }.map { hole in
            let at = clock.instant(of: hole.time).map { min(clocks.wall(at: $0), clocks.wall) } ?? clocks.wall
            let gap = Gap.inside(at: at, length: hole.length)
            clock.skip(hole.length ?? .zero, before: hole.time)
            memory.noteBreak(Int(hub.position.frames - hole.position.frames), length: hole.longest)
            hub.report(gap, before: hole.position)
            tellAirTime(clocks)
            let recent = RecentGap(gap, before: hole.position, since: clock, clocks.now)
            recentGaps = hole.length == nil ? [] : recentGaps + [recent]
            if hole.length == nil { isClockWrong = true }
            return (gap, hole.position.frames)
        }
    }

    /// Reports recent gaps again once their lengths are known or smaller, and that nothing is missing if nothing is
    /// left of one. `rest` tells how much is left of the gap before a frame if it has this length; nil if it was
    /// filled.
    func followGaps(_ clocks: ClockReading, _ rest: (Int64, Duration) -> Duration?) {
        for index in recentGaps.indices.reversed() {
            var recent = recentGaps[index]
            let (more, frame) = (recent.follow(&clock, clocks.now), recent.position.frames)
            for later in recentGaps[(index + 1)...].indices { recentGaps[later].follows(more ?? .zero) }
            // Together with an older one, nothing is known of two.
            guard let length = recent.gap.length else { break }
            guard let left = rest(frame, length) else {
                recentGaps.remove(at: index)
                continue
            }
            recentGaps[index] = recent
            if more != nil {
                memory.noteBreak(Int(hub.position.frames - frame), length: length)
                hub.report(recent.gap, before: recent.position)
                tellAirTime(clocks)
            }
            if let format, left == .zero, recent.gap.overlap == .zero {
                recentGaps.remove(at: index)
                hub.report(.nothingMissing(before: frame, format))
            }
        }
        recentGaps.removeAll { $0.isOver(clock, clocks.now) }
    }

    /// Reports the air time to the sinks, by the wall clock as it is set now.
    func clockStepped(_ clocks: ClockReading) {
        if hub.airTime != nil { tellAirTime(clocks) }
    }

    private func tellAirTime(_ clocks: ClockReading) {
        guard let format = hub.ring.format else { return }
        let changed = clock.airTime(
            since: formatStart, sampleRate: format.sampleRate, isDoubtful: watch.isWatching, after: hub.airTime,
            now: clocks.now, wall: clocks.wall)
        if let changed { hub.setAirTime(changed) }
    }
}

// MARK: - Joints

extension HubInlet {
    /// Reports that the next frame follows a gap and was at the edge at `start`, and returns the gap. A gap without a
    /// length gets that which the clock shows, if it shows one, and follows it. `isFinal`: whether it keeps the length
    /// that it has.
    func report(
        _ gap: Gap, isFinal: Bool, start: MonotonicInstant?, isSettled: Bool, _ clocks: ClockReading
    ) -> Gap {
        var gap = gap
        if let start {
            clock.restart(at: end, from: start, isSettled: isSettled)
            if isClockWrong || !isFinal && oldClock.edge != clock.edge { gap.length = nil }
            if isFinal || isClockWrong || oldClock.origin == nil {
                (recentGaps, isClockWrong) = ([], false)
            } else {
                gap.length = nil
                var recent = RecentGap(gap, before: hub.position, since: oldClock, clocks.now)
                _ = recent.follow(&clock, clocks.now)
                recentGaps.append(recent)
                gap = recent.gap
            }
        }
        hub.report(.gap(gap))
        lastGap = (hub.position, gap.length != nil)
        memory.noteBreak(length: gap.length)
        watch.end()
        lastArrival = nil
        tellAirTime(clocks)
        return gap
    }

    /// Reports that audio is missing before the next frame, on the same connection. Returns nil if there already is a
    /// gap.
    func report(missing samples: Int64?, _ clocks: ClockReading) -> Gap? {
        let place = hub.position
        guard hub.hasAudio, lastGap?.position.frames != place.frames, let format = hub.ring.format else { return nil }
        let length = samples.flatMap { plausible($0, format, clocks.now) }
        lastGap = (place, length != nil)
        let gap = Gap.inside(at: min(edge ?? clocks.wall, clocks.wall), length: length)
        hub.report(.gap(gap))
        memory.noteBreak(length: length)
        // The next frame reaches the edge later by the length of the missing audio.
        clock.skip(length ?? .zero, before: end)
        zero = zero + (length ?? .zero)
        if length == nil { recentGaps = [] }
        tellAirTime(clocks)
        return gap
    }

    /// Reports a gap before the next frame. A new map to air time must follow.
    func leaveOut(_ gap: Gap) {
        hub.report(.gap(gap))
        lastGap = (hub.position, gap.length != nil)
        memory.noteBreak(length: gap.length)
        watch.end()
    }

    /// Reports that the next frame continues the programme, although it does not come from where the frames before it
    /// came from.
    func splice(dropping count: Int, _ clocks: ClockReading) -> Splice {
        let splice = Splice(
            position: hub.position, at: edge ?? clocks.wall, droppedFrames: Int64(count), method: .match)
        hub.report(splice)
        return splice
    }

    /// The stated length of missing audio, if plausible; else nil. A server can have skipped at most the time since the
    /// delivered audio was at the edge, plus its whole queue.
    func plausible(_ samples: Int64, _ format: StreamFormat, _ now: MonotonicInstant) -> Duration? {
        let length = Duration.samples(samples, at: format.sampleRate)
        let passed = bookmark.heard.tail.map { max(.zero, now - $0) } ?? .zero
        return length <= passed + Self.longestQueue ? length : nil
    }

    private static let longestQueue = Duration.seconds(60)

    /// Reports to the hub, and to the clock, that the frames of a connection follow the delivered ones.
    func report(
        dropped: Int, unheard: Int, wasSilent: Bool, _ method: Splice.Method, of connection: StationConnection,
        _ clocks: ClockReading
    ) -> Splice {
        let start = connection.clock.instant(of: connection.joint.passed)
        if isClockWrong, let start {
            clock.restart(at: end, from: start, isSettled: connection.clock.isSettled)
            tellAirTime(clocks)
        } else {
            clock.reconnected(at: end, usesOldLag: wasSilent)
        }
        isClockWrong = false
        var splice = Splice(
            position: hub.position, at: edge ?? clocks.wall, droppedFrames: Int64(dropped), method: method)
        splice.unheardFrames = Int64(unheard)
        hub.report(splice)
        // Its own earlier frames do not tell how late the next ones of such a connection are.
        if connection.due != nil, !wasSilent { lastArrival = nil }
        return splice
    }

    /// Reports that the next frame is another station's, and was at the edge at `start`.
    func change(start: MonotonicInstant?, isSettled: Bool, _ clocks: ClockReading) {
        hub.report(.resync)
        if let start { clock.restart(at: end, from: start, isSettled: isSettled) } else { clock = AirClock() }
        tellAirTime(clocks)
    }

    /// Reports that the delivered frames from programme time `time` on were on air from `instant` on.
    func place(_ time: Duration, at instant: MonotonicInstant, _ clocks: ClockReading) {
        hub.flush()
        clock.restart(at: time, from: instant, isSettled: true)
        tellAirTime(clocks)
    }

    /// From now on, frames come from this server. Returns whether delays can be compared with those before.
    func follow(_ edge: String) -> Bool {
        let (old, new) = (clock.lag(of: clock.edge), clock.lag(of: edge))
        oldClock = clock
        clock.follow(edge)
        guard let old, let new else { return false }
        zero = zero + (new - old)
        return true
    }

    /// How far a server is behind the station; nil if it was never measured.
    func lag(of edge: String) -> Duration? { clock.lag(of: edge) }

    /// Forgets the delivered frames: nothing that follows continues them.
    func forget() {
        memory = FrameMemory()
        memoryNumber += 1
        watch.end()
        recentGaps = []
    }

    /// Reports what a stretch of delivered audio turned out to be.
    func report(_ stretch: Stretch) { hub.report(stretch) }

    /// Continues the programme from the bookmark with the next frame; what was delivered since is not part of it.
    func proceed(from bookmark: Bookmark, _ clocks: ClockReading) {
        memory = bookmark.heard.memory
        memoryNumber += 1
        recentGaps = []
        hub.report(.resync)
        if let tail = bookmark.heard.tail {
            clock.restart(at: end, from: tail, isSettled: bookmark.isSettled)
        }
        tellAirTime(clocks)
        // From now on, the programme arrives later by the length of what was delivered since.
        clock.reconnected(at: end)
    }
}

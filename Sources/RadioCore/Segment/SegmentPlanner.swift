// SPDX-License-Identifier: MIT

package import Instants
import RadioFormats

/// Decides where segments begin and end: stream events in, actions for the recorder out.
///
/// A value; call it from one thread, in stream order, and run the actions in their order.
///
/// - A segment by period begins with the frame into which the boundary falls: the first frame that ends after it.
/// - A segment by title begins with the frame to which the title belongs. The first title applies from the first frame,
///   because its song was already playing. A repeated title is ignored. An empty title makes a segment of its own. The
///   song of the first title after a gap is incomplete, because it may have begun within the gap.
/// - A change of format, or to another station, always begins a new segment.
/// - While the air time is not settled, no cut is decided, and no segment is opened (its name contains a time). A frame
///   that waits for such a decision is held, together with everything after it; all other frames pass at once. The
///   caller limits the wait: see ``isWaiting``.
///
/// Costs one comparison per chunk; frames are examined only in a chunk into which an event falls.
package struct SegmentPlanner: Sendable {
    /// How long a caller lets ``isWaiting`` stay true before it calls ``settleTimeout(now:)``.
    package static let longestWait = Duration.seconds(5)
    /// The largest title offset, in either direction.
    package static let largestTitleOffset = Duration.seconds(60)
    /// After this much audio without a title, ``SegmentNotice/noTitles`` is sent.
    static let titlePatience = Duration.seconds(600)
    /// Waiting ends when more bytes than this are held, however short the wait was.
    static let largestHold = 16 << 20

    /// The open segment.
    private struct Segment: Sendable {
        var plan: SegmentPlan
        /// With segments by title: whether the segment began with its song and has lost no audio so far.
        var isWhole: Bool
    }

    /// The frames since the format last changed: the count of samples restarts with each format.
    private struct Run: Sendable {
        var format: StreamFormat
        /// The first sample, and its media time.
        var firstSample: Int64
        var mediaTime: Duration
        /// The end of the frames received.
        var endSample: Int64

        func mediaTime(at sample: Int64) -> Duration {
            mediaTime + .samples(sample - firstSample, at: format.sampleRate)
        }
    }

    private let policy: SegmentPolicy
    private let zone: any TimeZoneRules
    /// How much audio is held back so that a title can apply before the frame with which it was sent.
    private let holdBack: Duration
    private var titles: TitleQueue
    private var periods: PeriodTracker
    private var run: Run?
    /// The station from which the next frames come.
    private var station: StationInfo?
    /// Whether the station has changed since the last frame.
    private var hasStationChanged = false
    /// The open segment; nil before the first frame is placed, and after the end.
    private var segment: Segment?
    private var sequence = 0
    /// The waiting chunks, all of one run, and their size in bytes.
    private var held: [Chunk] = []
    private var heldBytes = 0
    /// The events since a change of format after the waiting chunks.
    private var deferred = DeferredEvents()
    /// Entries for the sidecar, other than titles, whose frame is not placed yet.
    private var entries: [SegmentEntry] = []
    /// Whether the wait for a settled map has ended since the last format, gap or settled map.
    private var hasStoppedWaiting = false
    private var hasStoppedWaitingForTitle = false
    private var hasNoticed = false
    private var isOver = false
    private var actions: [SegmentAction] = []

    /// Creates a planner for one recording, whose periods follow the clocks of `zone`. A positive title offset moves
    /// titles later; a negative offset moves them earlier, and holds back that much audio. It is clamped to
    /// ``largestTitleOffset``.
    package init(policy: SegmentPolicy, zone: any TimeZoneRules, titleOffset: Duration = .zero) {
        let offset = min(max(titleOffset, .zero - Self.largestTitleOffset), Self.largestTitleOffset)
        self.policy = policy
        self.zone = zone
        holdBack = max(.zero, .zero - offset)
        titles = TitleQueue(offset: offset)
        periods = PeriodTracker(clock: .air(zone: zone), policy: policy)
    }

    /// Whether frames are held because the air time is not settled (or, with segments by title, because the first title
    /// may still arrive). The caller starts a timer of ``longestWait`` when this becomes true, and cancels it when this
    /// becomes false.
    package private(set) var isWaiting = false

    /// Takes the next event of the stream, and returns the actions to run. An air time applies to the frames since the
    /// last format or gap, so it must follow that event; frames received before the air time wait for it. If a splice
    /// or a foreign stretch moves the air time, a new map must accompany it. `now` is used if no air time is known. A
    /// file's first frame counts as aired at the `now` of its station event. Events after the end are ignored.
    package mutating func receive(_ event: StreamEvent, now: WallInstant) -> [SegmentAction] {
        guard !isOver else { return [] }
        take(event, now: now)
        return takeActions()
    }

    private mutating func take(_ event: StreamEvent, now: WallInstant) {
        if case .format = event, isWaiting, !isAirTimeTrusted {
            deferred.append(event)
        } else if !deferred.isEmpty {
            deferred.append(event)
            if deferred.start != nil || deferred.isHopeless { takeDeferred(now: now) }
        } else {
            handle(event, now: now)
        }
    }

    /// Handles the deferred events. If the air time of their frames is known by now, the air time of the waiting frames
    /// is derived from it first.
    private mutating func takeDeferred(now: WallInstant) {
        let old = deferred
        deferred = DeferredEvents()
        if let start = old.start, let run {
            let rate = run.format.sampleRate
            let origin = start - .samples(run.endSample, at: rate)
            adopt(AirTime(origin: origin, sampleRate: rate, isSettled: true))
        }
        releaseAll(now: now)
        for event in old.events where !isOver { take(event, now: now) }
    }

    private mutating func handle(_ event: StreamEvent, now: WallInstant) {
        switch event {
        case .station(let info): meet(info, now: now)
        case .format(let format, let position): begin(format, at: position, now: now)
        case .discontinuity(let discontinuity): flag(discontinuity, now: now)
        case .hole(let gap, let position):
            periods.followGap()
            entries.append(.hole(gap, before: position))
        case .splice(let splice): entries.append(.splice(splice))
        case .stretch(let stretch): entries.append(.stretch(stretch))
        case .airTime(let map): adopt(map)
        // It is about past frames, and decides no cut.
        case .found: break
        case .title(let title): queue(title)
        case .chunk(let chunk): take(chunk, now: now)
        case .ended: end(now: now)
        }
    }

    /// Ends the wait: decides with what is known.
    package mutating func settleTimeout(now: WallInstant) -> [SegmentAction] {
        guard !isOver, isWaiting else { return [] }
        stopWaiting(now: now)
        drain()
        if !deferred.isEmpty { takeDeferred(now: now) }
        return takeActions()
    }

    /// Ends the recording: places the held frames, and closes the segment.
    package mutating func finish(now: WallInstant) -> [SegmentAction] {
        receive(.ended(nil), now: now)
    }
}

// Input.
extension SegmentPlanner {
    private mutating func meet(_ info: StationInfo, now: WallInstant) {
        if let station, station.changes != info.changes, run != nil {
            // The held frames are the other station's, and the map to air time applies to them alone.
            releaseAll(now: now)
            hasStoppedWaiting = false
            hasStationChanged = true
            periods.followGap()
        }
        station = info
        // A station never becomes a file, but a supposed file may turn out to be a station.
        if info.kind == .live { periods.followAirTime(zone: zone) }
        guard info.kind == .finite, run == nil else { return }
        periods = PeriodTracker(clock: .media(start: now), policy: policy)
        hasStoppedWaitingForTitle = true
    }

    private mutating func begin(_ format: StreamFormat, at position: Position, now: WallInstant) {
        releaseAll(now: now)
        let first = position.samples
        var new = Run(format: format, firstSample: first, mediaTime: .zero, endSample: first)
        if let run {
            new.mediaTime = run.mediaTime(at: run.endSample)
            titles.restart(
                at: first, rate: format.sampleRate, after: run.endSample, oldRate: run.format.sampleRate)
        }
        periods.restart(
            at: first, rate: format.sampleRate, mediaTime: new.mediaTime, last: run?.endSample ?? first)
        run = new
        hasStoppedWaiting = false
    }

    private mutating func flag(_ discontinuity: Discontinuity, now: WallInstant) {
        if case .gap = discontinuity.kind {
            // The held frames belong to a connection that is gone: their air time will not improve.
            releaseAll(now: now)
            hasStoppedWaiting = false
            periods.followGap()
        }
        entries.append(.discontinuity(discontinuity))
    }

    private mutating func queue(_ title: StreamTitle) {
        titles.append(title, rate: run?.format.sampleRate ?? 1)
        drain()
    }

    private mutating func adopt(_ map: AirTime) {
        guard let run, map.sampleRate > 0 else { return }
        periods.adopt(map, at: run.endSample)
        if map.isSettled { hasStoppedWaiting = false }
        drain()
    }

    private mutating func take(_ chunk: Chunk, now: WallInstant) {
        guard run != nil, !chunk.frames.isEmpty else { return }
        run?.endSample = chunk.endSample
        if held.isEmpty && holdBack == .zero {
            if let rest = place(chunk) { hold(rest) }
        } else {
            hold(chunk)
            // While the first held chunk waits for the air time or the first title, later chunks change nothing.
            if !isWaiting { drain() }
        }
        if heldBytes > Self.largestHold { releaseAll(now: now) }
    }

    private mutating func end(now: WallInstant) {
        releaseAll(now: now)
        if policy == .title, !titles.hasText, sequence > 0 { noticeMissingTitles() }
        if segment != nil {
            // Audio lost after the last frame belongs to the last segment.
            actions += entries.map(SegmentAction.entry)
            close(.end)
        }
        isOver = true
    }

    private mutating func takeActions() -> [SegmentAction] {
        defer { actions = [] }
        return actions
    }
}

// Held frames.
extension SegmentPlanner {
    private mutating func hold(_ chunk: Chunk) {
        held.append(chunk)
        heldBytes += chunk.bytes.count
    }

    private mutating func releaseAll(now: WallInstant) {
        guard !held.isEmpty else { return }
        stopWaiting(now: now)
        drain(isHoldingBack: false)
    }

    private mutating func stopWaiting(now: WallInstant) {
        hasStoppedWaiting = true
        hasStoppedWaitingForTitle = true
        guard let run, periods.map == nil || periods.isStale else { return }
        // No air time is known: assume that the last frame is live now.
        let rate = run.format.sampleRate
        let origin = now - .samples(run.endSample, at: rate)
        periods.adopt(AirTime(origin: origin, sampleRate: rate, isSettled: false), at: run.endSample)
    }

    /// Places the chunks that no longer need to wait.
    private mutating func drain(isHoldingBack: Bool = true) {
        isWaiting = false
        var placed = 0
        while placed < held.count {
            let chunk = held[placed]
            if isHoldingBack && mustHoldBack(chunk) { break }
            heldBytes -= chunk.bytes.count
            if let rest = place(chunk) {
                held[placed] = rest
                heldBytes += rest.bytes.count
                break
            }
            placed += 1
        }
        held.removeFirst(placed)
    }

    private func mustHoldBack(_ chunk: Chunk) -> Bool {
        guard holdBack > .zero, let run else { return false }
        return .samples(run.endSample - chunk.endSample, at: run.format.sampleRate) < holdBack
    }

    private var isAirTimeTrusted: Bool {
        guard let map = periods.map, !periods.isStale else { return false }
        return map.isSettled || hasStoppedWaiting
    }
}

// Placing frames.
extension SegmentPlanner {
    /// Assigns the chunk's frames to their segments; returns the frames that must wait.
    private mutating func place(_ chunk: Chunk) -> Chunk? {
        var rest = chunk
        while true {
            guard enter(rest) else {
                isWaiting = true
                return rest
            }
            let count = max(1, framesBeforeNextEvent(in: rest))
            guard count < rest.frames.count else {
                actions.append(.append(rest))
                countTitlePatience(at: rest.endSample)
                return nil
            }
            actions.append(.append(rest.subchunk(0..<count)))
            rest = rest.subchunk(count..<rest.frames.count)
        }
    }

    /// Does everything due at the chunk's first frame: closes and opens segments, and adds entries for the sidecar.
    /// Returns false, and does none of that, if the frame must wait.
    private mutating func enter(_ chunk: Chunk) -> Bool {
        let position = chunk.position
        if segment == nil, policy == .title { titles.pullFirst() }
        let title = titles.change(at: position)
        let cause = cutCause(chunk, title)
        if cause != nil {
            guard isAirTimeTrusted else { return false }
            if segment == nil, policy == .title, titles.isUnknown, !hasStoppedWaitingForTitle { return false }
        }
        titles.pass(position)
        let due = entries.prefix { $0.frame <= position.frames }
        // A gap may be told again once another segment has begun.
        let lost = due.filter(\.losesAudio).map(\.frame)
        if lost.contains(where: { $0 >= segment?.plan.position.frames ?? 0 }) { segment?.isWhole = false }
        if let cause {
            if segment != nil { close(cause) }
            let isWhole = cause == .title && !lost.contains(position.frames) && title?.mayBeOlder == false
            open(chunk, cause, isWhole: isWhole)
        }
        actions += due.map(SegmentAction.entry)
        entries.removeFirst(due.count)
        if let title {
            actions.append(.entry(.title(title, airTime: periods.instant(ofSample: position.samples))))
        }
        return true
    }

    /// Why a segment must begin with the chunk's first frame; nil if the open segment continues.
    private func cutCause(_ chunk: Chunk, _ title: StreamTitle?) -> CutCause? {
        guard let segment else { return .start }
        if hasStationChanged { return .station }
        if chunk.format != segment.plan.format { return .format }
        if chunk.firstFrameSamples.upperBound > periods.cutSample { return .period }
        if policy == .title, title != nil { return .title }
        return nil
    }

    private mutating func open(_ chunk: Chunk, _ cause: CutCause, isWhole: Bool) {
        sequence += 1
        let airTime = periods.instant(ofSample: chunk.position.samples)
        let boundary = cause == .period ? periods.boundary : nil
        var plan = SegmentPlan(
            sequence: sequence, position: chunk.position, airTime: airTime,
            nameTime: boundary.map { max($0, airTime) }, title: titles.current, cause: cause, format: chunk.format)
        plan.station = station?.name
        plan.standsIn = station?.standsIn ?? false
        hasStationChanged = false
        segment = Segment(plan: plan, isWhole: isWhole)
        periods.beginSegment(firstFrame: chunk.firstFrameSamples, isPeriodOver: cause == .period)
        actions.append(.open(plan))
    }

    private mutating func close(_ cause: CutCause) {
        let isWholeSong = cause == .title && segment?.isWhole ?? false
        actions.append(.close(cause, complete: policy != .title || isWholeSong))
        segment = nil
    }

    /// The number of the chunk's frames before the next event: all of them belong to the open segment.
    private func framesBeforeNextEvent(in chunk: Chunk) -> Int {
        var count = min(chunk.frames.count, titles.framesBeforeNext(in: chunk))
        if let entry = entries.first { count = min(count, Int(clamping: entry.frame - chunk.position.frames)) }
        if chunk.endSample > periods.cutSample {
            let cutSample = periods.cutSample
            count = min(count, chunk.firstFrame { _, end in end > cutSample })
        }
        return count
    }

    private mutating func countTitlePatience(at sample: Int64) {
        guard policy == .title, !hasNoticed, !titles.hasText, let run else { return }
        if run.mediaTime(at: sample) >= Self.titlePatience { noticeMissingTitles() }
    }

    private mutating func noticeMissingTitles() {
        guard !hasNoticed else { return }
        hasNoticed = true
        actions.append(.notice(.noTitles))
    }
}

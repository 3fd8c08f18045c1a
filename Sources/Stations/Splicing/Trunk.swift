// SPDX-License-Identifier: MIT

import EventLoop
import Instants
package import RadioCore
import RadioFormats

/// What a programme's source delivers into: ``ForeignFilter``, ``HubInlet``, hub.
///
/// The frames of connections come through their joints, and go straight to the first of these objects. The trunk itself
/// gets the second pass of each delivery, that of the clocks. It reports to sinks how new audio joins the audio before
/// it, and records an outage until audio is back.
package final class Trunk {
    /// Called with each gap that frames may fill, until the end.
    var onGap: ((Gap) -> Void)?
    /// Called with splices, gaps and stretches.
    var onNotice: ((StationNotice) -> Void)?
    /// Called when a connection's frames join the programme, before they are delivered. `isMatch`: whether some of them
    /// equal frames that were delivered.
    var onJoin: ((StationConnection, _ isMatch: Bool) -> Void)?

    let hub: StreamHub
    weak var programme: Programme?
    private let reactor: any Reactor
    private let inlet: HubInlet
    private let filter: ForeignFilter
    /// The current outage; nil unless audio is missing.
    private var outage: Outage?
    /// Fills gaps with frames that were not delivered.
    private var filler = GapFiller()
    /// The number of joints made.
    private var joints = 0
    private var names = StationNames()
    /// When the first file arrived that a list plays before the station; nil without one, and once the station plays.
    /// From then on the station is missing.
    private var opener: MonotonicInstant?
    /// The server whose latest connections each began with other frames than those delivered at that time, and how
    /// many.
    private var differing = (edge: "", connections: 0)
    /// The programmes that were left for others, oldest first.
    private var left: [LeftProgramme] = []

    init(_ hub: StreamHub, _ reactor: any Reactor) {
        (self.hub, self.reactor) = (hub, reactor)
        inlet = HubInlet(hub: hub)
        filter = ForeignFilter(inlet: inlet, reactor: reactor)
        inlet.onMissing = { [weak self] in self?.note(missing: $0) }
        filter.onStretch = { [weak self] in
            if $0.kind == .foreign {
                self?.filler.forget()
                self?.differing.connections = 0
            }
            self?.onNotice?(.stretch($0))
        }
    }

    /// The end of the delivered audio.
    var bookmark: HubInlet.Bookmark { inlet.bookmark }

    /// See ``HubInlet/end``.
    var end: Duration { inlet.end }

    /// See ``StationSnapshot/drift``.
    var drift: Double? { inlet.drift }

    /// Whether audio is currently missing.
    var isMissingAudio: Bool { outage != nil }

    /// Whether all audio so far was files that a list plays before the station.
    var isAfterOpener: Bool { opener != nil }

    /// Whether new frames were delivered since the last call. Repeated frames do not count: they do not reach the hub.
    func takeNewFrames() -> Bool { inlet.takeNewFrames() }

    /// How far a connection's server is behind the station's edge; nil if unknown.
    func lag(of connection: StationConnection) -> Duration? { inlet.lag(of: connection.edge) }

    /// Whether a connection's server seems to give each client other frames. One such connection may as well have been
    /// one that was far behind. One that has to prove its station may be another station's.
    func expectsOtherFrames(of connection: StationConnection) -> Bool {
        connection.edge == differing.edge && differing.connections > 1 && connection.supposedFile == nil
            && connection.joint.proof == .given
    }

    /// Makes the joint for a new connection. `isKnown`: see ``Joint``.
    func makeJoint(isKnown: @escaping (BodyTrace) -> Bool = { _ in false }) -> Joint {
        let isLate = opener.map { reactor.now - $0 > Self.leastAbsence } ?? false
        let joint = Joint(after: inlet.bookmark, isLate: isLate, isKnown: isKnown, taker: filter)
        joints += 1
        joint.onSpare = { [weak self, unowned joint, joints] frames in
            self?.keep(frames, of: joints, from: joint.edge)
        }
        return joint
    }

    /// Whether there are gaps that frames may fill.
    var hasOpenGaps: Bool { filler.hasGaps }

    /// The number of another source of frames beside the joints.
    func nextSource() -> Int {
        joints += 1
        return joints
    }

    /// Takes frames that may be missing in gaps.
    func offer(_ frames: SpareFrames, from source: Int) {
        var frames = frames
        frames.connection = source
        filler.add(frames, reactor.now)
        fillGaps()
    }

    /// Somebody looks for the audio of gaps, so these stay open for longer.
    func noteSearch() { filler.noteSearch(reactor.now) }

    /// Keeps frames that are not delivered if some were never delivered, or while some are missing.
    private func keep(_ frames: SpareFrames, of joint: Int, from edge: String) {
        let isDoubtful = filler.hasGaps || isWatching || isMissingAudio
        guard isDoubtful || !inlet.memory.contains(frames.parts.marks) else { return }
        var frames = frames
        (frames.connection, frames.edge) = (joint, edge)
        filler.add(frames, reactor.now)
    }

    /// Whether a connection that is behind by `time` may still bring what is missing in the newest gap.
    func hopes(behind time: Duration) -> Bool { filler.hopes(behind: time, reactor.now) }

    /// Reports audio that has been found for gaps. `isOver`: whether no more audio comes.
    func fillGaps(isOver: Bool = false) {
        let found = filler.search(
            inlet.memory, upTo: inlet.position.frames, isOver: isOver, reactor.now, lag: inlet.lag(of:))
        for audio in found { hub.report(audio) }
    }

    /// Takes a gap that frames may fill. `bookmark` is the end of the audio before it, unless it is inside a
    /// connection.
    private func note(_ gap: Gap, before frame: Int64, after bookmark: HubInlet.Bookmark? = nil) {
        guard let format = inlet.format else { return }
        let clocks = reactor.readClocks()
        let passed = (bookmark ?? inlet.bookmark).heard.tail.map { max(.zero, clocks.now - $0) } ?? .zero
        filler.note(
            gapBefore: frame, length: gap.length, most: passed, in: inlet.memory,
            back: Int(inlet.position.frames - frame), format, from: clocks.instant(of: gap.at), clocks.now)
        onGap?(gap)
    }
}

// MARK: - Without connections

extension Trunk: StreamPartTaker {
    /// Takes a part of a source whose parts all follow each other.
    package func take(_ part: StreamPart) {
        let isFirst = hub.ring.format == nil
        inlet.take(part)
        if isFirst, hub.ring.format != nil { hub.report(.firstJoin) }
    }

    package func take(_ batch: FrameBatch, _ bytes: UnsafeRawBufferPointer) { inlet.take(batch, bytes) }

    /// The frames delivered last.
    var memory: FrameMemory { inlet.memory }

    /// The air time of the next frame, if known.
    var edge: WallInstant? { inlet.edge }

    /// Says that the next frame was on air at `instant`, by what its source states.
    func place(at instant: MonotonicInstant) { inlet.place(inlet.end, at: instant, reactor.readClocks()) }

    /// Reports that audio of this length is missing before the next frame, nil if unknown. `failure`: why; nil if the
    /// station left it out.
    func leaveOut(_ length: Duration?, _ failure: Failure?) {
        let (clocks, bookmark) = (reactor.readClocks(), inlet.bookmark)
        let at = min(inlet.edge ?? clocks.wall, clocks.wall)
        let own = failure.map { Gap(at: at, length: length, cause: $0.message, failure: $0) }
        var gap = outage?.gap(until: clocks) ?? own ?? .inside(at: at, length: length)
        (gap.at, gap.length) = (at, length)
        outage = nil
        inlet.leaveOut(gap)
        note(gap, before: inlet.position.frames, after: bookmark)
        onNotice?(.gap(gap))
    }

    /// Reports that the next frame comes from elsewhere, but continues the programme. `count` frames before it had been
    /// delivered.
    func spliced(dropping count: Int) {
        let splice = inlet.splice(dropping: count, reactor.readClocks())
        outage = nil
        onNotice?(.spliced(splice))
    }

    /// Call after each delivery of a source that delivers in real time. `clock` is the source's.
    func arrived(by clock: inout EdgeClock) {
        let clocks = reactor.readClocks()
        clock.arrived(upTo: inlet.end, now: clocks.now)
        inlet.arrived(clock, at: inlet.end, clocks)
        hub.flush()
    }
}

// MARK: - Joining

extension Trunk {
    /// Announces the station of the first connection. It is the station that played, except after an opener.
    func announce(_ info: StationInfo) {
        var info = info
        info.changes = (hub.info?.changes ?? 0) + (isAfterOpener ? 1 : 0)
        info.standsIn = hub.info?.standsIn ?? false
        if info.standsIn { info.name = info.ownName }
        onNotice?(.connected(info))
        if !info.standsIn, let old = names.note(info.icyName), !isAfterOpener { onNotice?(.renamed(info, from: old)) }
        hub.announce(info)
    }

    /// Announces the other station to which the programme changes.
    private func announceChange(to connection: StationConnection) {
        guard var info = connection.takeAnnouncement(), let old = hub.info else { return }
        info.changes = old.changes + 1
        // A better entry is what the user asked for, so it has the user's name. The same holds for the station's
        // return.
        info.standsIn = !connection.isBetter && !names.isLatest(info.icyName)
        if info.standsIn { info.name = info.ownName } else { names.note(info.icyName) }
        onNotice?(.changed(from: old, to: info))
        hub.announce(info)
    }

    /// Lets a connection continue where its station was left, if the programme had changed to another one.
    func findPlace(of connection: StationConnection) {
        guard connection.joint.proof != .given, let answer = connection.upstream.info,
            let old = left.programme(of: answer, insteadOf: hub.info), connection.joint.goBack(to: old.end)
        else { return }
        connection.returnsTo = old
    }

    /// Leaves the programme for that of a connection, and returns it.
    private func leave(for connection: StationConnection) -> LeftProgramme? {
        release()
        filler.forget()
        let programme = whatIsLeft
        if let programme { left.leave(programme) }
        announceChange(to: connection)
        return programme
    }

    /// Goes back to the programme that a connection continues, and returns the one that is left.
    private func goBack(
        to old: LeftProgramme, _ connection: StationConnection, _ clocks: ClockReading
    ) -> LeftProgramme? {
        let programme = leave(for: connection)
        filter.end()
        beginOther(connection)
        inlet.proceed(from: old.end, clocks)
        return programme
    }

    /// Ends what the station before had set: its format and its title.
    private func beginOther(_ connection: StationConnection) {
        if let format = connection.joint.firstFormat { inlet.begin(format) }
        if hub.title?.text.isEmpty == false { hub.setTitle("") }
    }

    /// Carries out a decision, and releases the connection's held frames.
    func join(_ connection: StationConnection, _ decision: Joint.Decision) {
        let clocks = reactor.readClocks()
        let isTimed = inlet.lag(of: connection.edge) != nil
        let isComparable = inlet.follow(connection.edge)
        let isAgain = hub.hasAudio
        let isStart = !isAgain || isAfterOpener
        var before: LeftProgramme?
        if case .splice = decision, let old = connection.returnsTo { before = goBack(to: old, connection, clocks) }
        switch decision {
        case .stranger:
            return
        case .first where isAfterOpener, .gap where isAfterOpener:
            change(to: connection, from: connection.clock.instant(of: .zero), clocks)
            onNotice?(.live(again: false))
        case .gap(let seam) where connection.changesStation(by: decision):
            before = leave(for: connection)
            change(to: connection, from: seam.start ?? connection.clock.instant(of: .zero), clocks)
            // The station may repeat what it sent before it was left.
            if let old = connection.returnsTo {
                filter.watch(for: old.end, missing: seam.missing, clocks)
            }
        case .first:
            if let format = connection.joint.firstFormat { inlet.begin(format) }
            if !isAgain { hub.report(.firstJoin) }
            onNotice?(.live(again: isAgain))
        case .splice(let dropped, let unheard, let wasSilent, let method):
            if !isComparable { findHoles(clocks, isLikely: unheard > 0) }
            filter.forget()
            differing.connections = 0
            let splice = inlet.report(
                dropped: dropped, unheard: unheard, wasSilent: wasSilent, method, of: connection, clocks)
            onNotice?(.spliced(splice))
        case .gap(var seam):
            if outage == nil { noteOutage(Self.elsewhere) }
            let held = self.held
            release()
            findHoles(clocks, isLikely: true)
            if connection.edge != differing.edge { differing = (connection.edge, 0) }
            seam.start = seam.start.map { $0 + connection.watch.delay(at: connection.joint.passed) }
            let format = connection.joint.firstFormat ?? inlet.format
            seam.missing = format.flatMap { format in seam.stated.flatMap { inlet.plausible($0, format, clocks.now) } }
            if let stated = seam.missing { (seam.missing, seam.overlap) = (stated - held, .zero) }
            let differs = isTimed && (seam.overlap > .zero || seam.isTrimmed)
            differing.connections = differs ? differing.connections + 1 : 0
            let bookmark = inlet.bookmark
            if seam.repeats == nil { before = whatIsLeft }
            if let format = connection.joint.firstFormat { inlet.begin(format) }
            // End the outage before a sink receives the gap: the sink may stop the station.
            if let outage = self.outage.take() {
                let isSettled = connection.clock.isSettled
                var gap = outage.gap(seam, isPaced: isSettled, until: clocks)
                // The clock of a live station knows how long it was missing, unless clock and frames contradict each
                // other.
                let isFinal = seam.missing != nil || hub.info?.kind != .live || gap.length == nil
                gap = inlet.report(gap, isFinal: isFinal, start: seam.start, isSettled: isSettled, clocks)
                note(gap, before: inlet.position.frames, after: bookmark)
                followGaps(clocks)
                onNotice?(.gap(gap))
                // These frames may also be an advert, after which the programme goes on.
                seam.missing = differs ? .zero : gap.length
            }
            filter.watch(for: bookmark, missing: seam.missing, clocks)
        }
        outage = nil
        connection.place = FramePlace(
            frame: inlet.position.frames, media: inlet.end, at: connection.began ?? clocks.now, isStart: isStart,
            before: before)
        // A match with a programme that was left proves nothing about the one that played.
        onJoin?(connection, decision.isMatch && connection.returnsTo == nil)
        inlet.takeWatch(of: connection)
        connection.joint.open()
    }

    /// What the programme leaves behind a gap. A file is no station, so nothing stands in its place.
    private var whatIsLeft: LeftProgramme? {
        hub.info.flatMap { $0.kind == .live ? LeftProgramme(info: $0, end: inlet.bookmark, outage: outage) : nil }
    }

    /// Goes over to the frames of another station, of which the first was at the edge at `start`. Nothing is dropped:
    /// what was on air meanwhile on the station before is a gap only if that station had failed.
    private func change(to connection: StationConnection, from start: MonotonicInstant?, _ clocks: ClockReading) {
        let isLate = isAfterOpener
        if isLate, outage == nil { outage = makeOutage(Self.opener) }
        opener = nil
        beginOther(connection)
        let isSettled = connection.clock.isSettled
        let gap = outage.take()?.gap(Seam(start: start), isPaced: isSettled, until: clocks)
        if let gap, !isLate || gap.length ?? .zero > Self.leastAbsence {
            _ = inlet.report(gap, isFinal: true, start: start, isSettled: isSettled, clocks)
            onNotice?(.gap(gap))
        } else {
            inlet.change(start: start, isSettled: isSettled, clocks)
        }
        inlet.forget()
    }

    /// Marks the audio since a connection joined as foreign: it was a file before the station, or in its place. It was
    /// on air when it arrived. After a file before the station, nothing continues. After a file in its place, the
    /// outage that the file interrupted goes on, and the station continues where the programme was.
    func markForeign(from place: FramePlace?) {
        release()
        filter.end()
        filler.forget()
        outage = place?.before?.outage
        guard let place, inlet.position.frames > place.frame else { return }
        let clocks = reactor.readClocks()
        let stretch = Stretch(
            .foreign, frames: place.frame..<inlet.position.frames, at: clocks.wall(at: place.at),
            length: inlet.end - place.media)
        if hub.info?.kind == .live { inlet.place(place.media, at: place.at, clocks) }
        defer { onNotice?(.stretch(stretch)) }
        inlet.report(stretch)
        guard var info = place.before?.info, let end = place.before?.end else {
            inlet.forget()
            return opener = opener ?? place.at
        }
        inlet.proceed(from: end, clocks)
        guard let changes = hub.info?.changes, changes != info.changes else { return }
        info.changes = changes + 1
        hub.announce(info)
    }

    /// Call after a delivery of the first connection has passed its joint.
    func arrived(_ now: MonotonicInstant) { filter.arrived(now) }

    /// Fits the air time to the first connection's latest delivery. The connection must be to a live station.
    func fitAirTime(_ connection: StationConnection, _ now: MonotonicInstant) {
        let arrival = min(now, connection.lastArrival ?? now)
        let clocks = ClockReading(wall: reactor.readClocks().wall(at: arrival), now: arrival)
        inlet.arrived(connection.clock, at: connection.joint.passed - held, clocks)
        followGaps(clocks)
    }

    private func followGaps(_ clocks: ClockReading) {
        inlet.followGaps(clocks) { filler.rest(ofGapBefore: $0, length: $1) }
    }

    /// Reports the air time of the delivered audio, by the wall clock as it is set now.
    func clockStepped() {
        inlet.clockStepped(reactor.readClocks())
    }

    /// The playing time of the frames that wait behind the joint.
    private var held: Duration { filter.duration }

    /// See ``HubInlet/isWatching`` and ``HubInlet/deadline``.
    var isWatching: Bool { inlet.isWatching }
    var deadline: MonotonicInstant? { inlet.deadline }

    /// Reports the holes that are known by now, and returns whether there are any. See
    /// ``HubInlet/findHoles(_:isOver:isLikely:)``.
    @discardableResult
    func findHoles(_ clocks: ClockReading? = nil, isOver: Bool = false, isLikely: Bool? = nil) -> Bool {
        let holes = inlet.findHoles(clocks ?? reactor.readClocks(), isOver: isOver, isLikely: isLikely)
        for hole in holes { tell(hole.gap, before: hole.frame) }
        return !holes.isEmpty
    }

    /// Reports audio that is missing although its connection stayed open.
    private func note(missing samples: Int64?) {
        let frame = inlet.position.frames
        if let gap = inlet.report(missing: samples, reactor.readClocks()) { tell(gap, before: frame) }
    }

    private func tell(_ gap: Gap, before frame: Int64) {
        note(gap, before: frame)
        outage?.note(missing: gap.length ?? .zero)
        onNotice?(.gap(gap))
    }

    /// The cause of a gap that no failure preceded.
    private static let elsewhere = Failure(
        .dropped, "the new connection continued at another place in the programme", remedy: "nothing to do")
    /// The cause of a gap before the station.
    private static let opener = Failure(
        .file, "the list played a file before the station", remedy: "nothing to do")
    /// A shorter time without the station after a file is that of connecting.
    private static let leastAbsence = Duration.milliseconds(500)
}

// MARK: - Outages

extension Trunk {
    /// Begins an outage, because audio is missing, or counts a failed attempt to get it back.
    func noteOutage(_ failure: Failure) {
        if outage != nil { outage?.note(failure) } else { outage = makeOutage(failure) }
    }

    /// The open gap, if any. `failure` is the cause if audio is missing but no outage has been noted.
    func gap(orAfter failure: Failure?) -> Gap? {
        (outage ?? failure.flatMap(makeOutage))?.gap(until: reactor.readClocks())
    }

    /// An outage that begins where the delivered audio ends, or with the file before the station; nil if there is no
    /// live audio to miss.
    private func makeOutage(_ failure: Failure) -> Outage? {
        let clocks = reactor.readClocks()
        if let opener { return Outage(failure, edge: clocks.wall(at: opener), held: .zero, clock: clocks) }
        guard hub.hasAudio, hub.info?.kind == .live else { return nil }
        inlet.hold(held, clocks.now)
        return Outage(failure, edge: inlet.edge, held: held, clock: clocks)
    }

    /// Begins an outage at the break of a file, or counts a failed attempt to resume it.
    func noteOutageOfFile(_ failure: Failure, since end: WallInstant) {
        if outage != nil { return outage?.note(failure) ?? () }
        outage = Outage(failure, edge: end, held: .zero, clock: reactor.readClocks(), isOfFile: true)
    }

    /// Ends the outage, because a file has been resumed, or is over.
    func endOutage() { outage = nil }

    /// Releases the frames that wait behind the joint.
    func release() { filter.release() }

    /// Ends the station.
    func end(_ failure: Failure?) {
        release()
        filter.end()
        findHoles(isLikely: true)
        fillGaps(isOver: true)
        // An outage at the end of the station is a gap, too.
        if let gap = outage?.gap(until: reactor.readClocks()) { hub.report(.gap(gap)) }
        (outage, onGap) = (nil, nil)
        hub.end(failure)
    }
}

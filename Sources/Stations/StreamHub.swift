// SPDX-License-Identifier: MIT

package import Instants
package import RadioCore
package import RadioFormats

/// Distributes one programme to its sinks. Holds the ring, the position and the list of sinks.
///
/// A source, such as a connection or a file, appends frames. Sinks receive chunks, titles, formats and discontinuities
/// in stream order. Frames are gathered into chunks. A chunk goes out at ``flush()``, which the source calls when it
/// has no more frames at hand, and before any event that must come between frames.
package final class StreamHub {
    package private(set) var ring: Ring
    /// The formats, titles and other events that apply to the frames in the ring.
    package private(set) var timeline: Timeline
    /// The station's description of itself, once known.
    package private(set) var info: StationInfo?
    /// The current title.
    package private(set) var title: StreamTitle?
    /// Whether the station has said since the last gap which title is on air.
    private var knowsTitle = true
    private var adverts = AdvertWatch()
    package private(set) var airTime: AirTime?
    /// The end of the newest frame, where the next one starts.
    package var position: Position { ring.position }
    /// Whether any frame has arrived.
    package var hasAudio: Bool { position.frames > ring.start.frames }
    /// The shortest ``StreamSink/tolerance`` of all sinks; nil if none of them wants audio.
    package private(set) var tolerance: Duration? {
        didSet {
            if tolerance != oldValue { onTolerance?() }
        }
    }
    /// Whether all sinks that want audio rather wait for missing audio than go on without it.
    package private(set) var isPatient = false
    /// The newest frames that are no station's.
    package private(set) var foreign: Range<Int64> = 0..<0
    /// Whether it is still unknown if audio is missing in a silence before the newest frames, and so when these were on
    /// air.
    package internal(set) var isJudging = false
    /// Whether no frame will follow the newest one. Already set while sinks receive that frame.
    package private(set) var isComplete = false
    /// Whether the programme is over.
    package var hasEnded: Bool { end != nil }
    /// Called when ``tolerance`` has changed.
    package var onTolerance: (() -> Void)?

    private var sinks: [any StreamSink] = []
    /// The sink that is receiving the replay of the ring; nil if there is none, or if it has detached meanwhile.
    private var joining: (any StreamSink)?
    private let leastDepth: Duration
    private var claims: [WeakClaim] = []
    /// Archives that keep audio of this programme for longer, the newest last.
    private var archives: [any FrameArchive] = []
    /// Frames of one slab that no sink has received yet.
    private var pending: Chunk?
    /// The failure, or nil, with which the programme ended; `.none` while it runs.
    private var end: Failure??

    /// Creates a hub whose first frame is at `start`, from which all counts continue. It keeps at least `depth` of
    /// audio.
    package init(depth: Duration = .seconds(1), from start: Position = Position()) {
        leastDepth = depth
        ring = Ring(depth: depth, from: start)
        timeline = Timeline(from: start.frames)
    }
}

// MARK: - The ring

extension StreamHub {
    /// Keeps `depth` of audio, within `bytes` of memory, until the claim is released.
    package func claim(_ depth: Duration, bytes: Int = Ring.usualMostBytes) -> RingClaim {
        let claim = RingClaim(depth, bytes, on: self)
        claims.append(WeakClaim(claim: claim))
        fitDepth()
        return claim
    }

    /// Fits the ring's depth and memory to the claims that still exist. Called when a claim is released.
    func fitDepth() {
        claims.removeAll { $0.claim == nil }
        let held = claims.compactMap(\.claim)
        ring.depth = max(leastDepth, held.map(\.depth).max() ?? leastDepth)
        ring.mostBytes = max(Ring.usualMostBytes, held.map(\.bytes).max() ?? 0)
        forgetOldest()
    }

    private func forgetOldest() {
        let wanted = claims.compactMap { $0.claim?.timelineStart }.min()
        timeline.forget(before: min(ring.oldestFrame, wanted ?? .max))
    }

    private struct WeakClaim {
        weak var claim: RingClaim?
    }
}

// MARK: - Air time

extension StreamHub {
    /// The number of the frame that was on air at an instant, or of the first frame after it; that of the next frame if
    /// there is none yet.
    package func frame(onAirAt instant: WallInstant) -> Int64 {
        var search = Replay(of: ring, timeline, from: oldest)
        while let event = search.next() {
            guard case .chunk(let chunk) = event, let airTime = search.applicable.airTime else { continue }
            let earlier = chunk.frames(airedBefore: instant, by: airTime)
            if earlier < chunk.frames.count { return chunk.position.frames + Int64(earlier) }
        }
        return position.frames
    }
}

// MARK: - Archives

extension StreamHub {
    /// Adds an archive that keeps audio of this programme for longer than the ring.
    package func add(_ archive: any FrameArchive) {
        if archives.count >= Self.mostArchives { archives.removeFirst() }
        archives.append(archive)
    }

    /// The archive that has this frame, or else the archive with the earliest later frame; nil if no archive has any of
    /// these frames.
    package func archive(from frame: Int64) -> (archive: any FrameArchive, firstFrame: Int64)? {
        archives.compactMap { archive in archive.firstFrame(from: frame).map { (archive, $0) } }
            .min { $0.1 < $1.1 }
    }

    /// The maximum number of archives. A limit is needed because a station may be recorded any number of times.
    private static let mostArchives = 8
}

// MARK: - Sinks

extension StreamHub {
    /// Adds a sink, which begins at a place in the audio that is kept.
    ///
    /// The sink first receives the state at that place: station, format, air time, title. If the place lies in the
    /// past, the sink receives everything since then during this call.
    package func attach(_ sink: any StreamSink, at place: JoinPlace = .live) {
        flush()
        let left = joining
        joining = sink
        tell(sink, replay(from: place))
        if joining === sink {
            sinks.append(sink)
            retune()
        }
        joining = left
    }

    package func detach(_ sink: any StreamSink) {
        if joining === sink { joining = nil }
        sinks.removeAll { $0 === sink }
        retune()
    }

    /// Ends the programme for one sink: it receives the open gap, if any, and a proper end.
    func leave(_ sink: any StreamSink, missing gap: Gap? = nil) {
        flush()
        guard sinks.contains(where: { $0 === sink }) else { return }
        detach(sink)
        if let gap { sink.receive(.discontinuity(Discontinuity(kind: .gap(gap), position: position))) }
        sink.receive(.ended(nil))
    }

    private func tell(_ sink: any StreamSink, _ replay: Replay) {
        func tell(_ event: StreamEvent) {
            if joining === sink { sink.receive(event) }
        }
        if let info { tell(.station(info)) }
        let (applicable, position) = (replay.applicable, replay.position ?? position)
        if let format = applicable.format {
            tell(.format(format, at: position))
            tell(.discontinuity(Discontinuity(kind: .firstJoin, position: position)))
        }
        if let airTime = applicable.airTime { tell(.airTime(airTime)) }
        if let title = applicable.title {
            tell(.title(StreamTitle(text: title.text, position: position, raw: title.raw, url: title.url)))
        }
        if let stretch = applicable.stretch { tell(.stretch(stretch.begun(at: position, applicable.airTime))) }
        for event in replay { tell(event) }
        if let end { tell(.ended(end)) }
    }

    /// The oldest frame from which on everything is known.
    private var oldest: Int64 { min(position.frames, max(ring.oldestFrame, timeline.start)) }

    private func replay(from place: JoinPlace) -> Replay {
        switch place {
        case .live: return Replay(of: ring, timeline, from: position.frames)
        case .behind(let time): return Replay(of: ring, timeline, from: max(oldest, ring.frame(behind: time)))
        case .airTime(let instant):
            let frame = frame(onAirAt: instant)
            return Replay(of: ring, timeline, from: foreign.contains(frame) ? foreign.upperBound : frame)
        }
    }

    private func retune() {
        tolerance = sinks.compactMap(\.tolerance).min()
        isPatient = sinks.allSatisfy { $0.isPatient || $0.tolerance == nil }
    }

    private func tell(_ event: StreamEvent) {
        // A sink may end the programme while a source is still delivering. Later events are then dropped.
        guard !hasEnded else { return }
        timeline.add(event, at: position)
        // Iterates over a copy: a sink may detach itself or another during the call.
        for sink in sinks { sink.receive(event) }
    }
}

// MARK: - Delivery by the source

extension StreamHub {
    package func announce(_ info: StationInfo) {
        guard info != self.info else { return }
        flush()
        self.info = info
        tell(.station(info))
    }

    /// Sets the format of the following frames.
    package func begin(_ format: StreamFormat) {
        guard format != ring.format else { return }
        tell(adverts.pause(at: position, airTime))
        flush()
        ring.begin(format)
        airTime = nil
        tell(.format(format, at: position))
        tell(adverts.change(at: position, nil))
    }

    /// Reports that the next frame does not continue the one before it.
    package func report(_ kind: Discontinuity.Kind) {
        flush()
        if case .gap(let gap) = kind {
            tell(adverts.skip(gap.length, at: position, airTime))
            (airTime, knowsTitle) = (nil, title?.position == position)
        }
        tell(.discontinuity(Discontinuity(kind: kind, position: position)))
    }

    /// Reports that audio is missing before a frame that was delivered. A new map to air time must follow.
    package func report(_ hole: Gap, before position: Position) {
        flush()
        airTime = nil
        adverts.miss(before: position.frames)
        tell(.hole(hole, before: position))
    }

    /// Reports that the next frame came on a new connection and continues the one before it.
    package func report(_ splice: Splice) {
        flush()
        tell(.splice(splice))
    }

    /// Reports what is known about a stretch of delivered frames. A stretch that goes on may be reported again.
    package func report(_ stretch: Stretch) {
        flush()
        if stretch.kind == .foreign { foreign = stretch.frames }
        tell(.stretch(stretch))
    }

    /// Reports audio that belongs before a delivered frame.
    package func report(_ found: FoundAudio) {
        flush()
        tell(.found(found))
    }

    /// Sets the title, from the next frame on. Ignores a repeated title.
    package func setTitle(_ text: String, raw: [UInt8] = [], url: String? = nil) {
        defer { knowsTitle = true }
        if text != title?.text {
            flush()
            let title = StreamTitle(text: text, position: position, raw: raw, url: url, mayBeOlder: !knowsTitle)
            self.title = title
            tell(.title(title))
        }
        adverts.isTitled = TitleText.isAdvert(text)
        tell(adverts.change(at: position, airTime))
    }

    /// Sets what says beside titles that an advert is on air, from the next frame on; nil if nothing does.
    package func setAdvert(_ source: AdvertWatch.Teller?) {
        adverts.source = source
        tell(adverts.change(at: position, airTime))
    }

    private func tell(_ advert: Stretch?) { if let advert { report(advert) } }

    /// Sets the map to air time. The gathered frames go out after the map, because it was learned from their arrival.
    package func setAirTime(_ airTime: AirTime) {
        guard airTime != self.airTime else { return }
        self.airTime = airTime
        tell(.airTime(airTime))
        if let advert = adverts.place(airTime) { tell(.stretch(advert)) }
    }

    /// Copies one whole frame into the ring.
    package func append(_ frame: UnsafeRawBufferPointer, samples: Int, backReference: Int) {
        append(
            FrameBatch(FrameFacts(samples: samples, backReference: backReference), length: frame.count), frame)
    }

    /// Copies whole frames into the ring.
    package func append(_ batch: FrameBatch, _ bytes: UnsafeRawBufferPointer) {
        var next = 0
        while let chunk = ring.append(batch, from: next, bytes) {
            next += chunk.frames.count
            if let gathered = pending, gathered.slab === chunk.slab {
                pending = gathered.joined(chunk)
                continue
            }
            flush()
            // A new slab may have replaced an old one.
            if chunk.frames.lowerBound == 0 { forgetOldest() }
            pending = chunk
        }
    }

    /// Passes all gathered frames to the sinks.
    package func flush() {
        if let chunk = pending.take() { tell(.chunk(chunk)) }
    }

    /// Ends the programme. Anything that a source delivers afterwards is dropped.
    package func end(_ failure: Failure?) {
        isComplete = true
        flush()
        guard !hasEnded else { return }
        end = .some(failure)
        for sink in sinks { sink.receive(.ended(failure)) }
    }
}

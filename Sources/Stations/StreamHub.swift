// SPDX-License-Identifier: MIT

package import RadioCore
package import RadioFormats

/// One programme on its way to its sinks: the ring, the position, and who listens.
///
/// Whatever delivers frames (an upstream connection, a file) puts them in here; sinks get chunks, titles, formats and
/// discontinuities, in stream order. Confined to the loop's thread. Frames are gathered: a chunk goes out at
/// ``flush()``, which the source calls when it has no more frames at hand, and before anything that must come between.
package final class StreamHub {
    package private(set) var ring: Ring
    /// What applies where in the ring.
    package private(set) var timeline: Timeline
    /// What the station says of itself, once known.
    package private(set) var info: StationInfo?
    /// The title that applies now.
    package private(set) var title: StreamTitle?
    package private(set) var airTime: AirTime?
    /// Where the newest frame ends and the next one starts.
    package var position: Position { ring.position }
    /// Whether any frame has come so far.
    package var hasAudio: Bool { position.frames > ring.start.frames }
    /// The shortest ``StreamSink/tolerance`` of all sinks; nil where none of them wants audio.
    package private(set) var tolerance: Duration? {
        didSet {
            if tolerance != oldValue { onTolerance?() }
        }
    }
    /// Whether no frame follows the newest one. Sinks that are just told of that one can ask.
    package private(set) var isComplete = false
    /// Whether the programme is over.
    package var hasEnded: Bool { end != nil }
    /// Called when ``tolerance`` has changed.
    package var onTolerance: (() -> Void)?

    private var sinks: [any StreamSink] = []
    /// The sink that hears what is in the ring just now; nil where none does, or where it has left meanwhile.
    private var joining: (any StreamSink)?
    private let leastDepth: Duration
    private var claims: [WeakClaim] = []
    /// What keeps audio of this programme for longer, the newest last.
    private var archives: [any FrameArchive] = []
    /// Frames of one slab that no sink has had yet.
    private var pending: Chunk?
    /// With which the programme has ended; nil while it has not.
    private var end: Failure??

    /// A hub whose first frame stands at `start`: all counts go on from there. At least `depth` of audio is kept.
    package init(depth: Duration = .seconds(1), from start: Position = Position()) {
        leastDepth = depth
        ring = Ring(depth: depth, from: start)
        timeline = Timeline(from: start.frames)
    }
}

// MARK: - The ring

extension StreamHub {
    /// Asks for so much audio to be kept, in no more memory than so many bytes, until the claim is let go of.
    package func claim(_ depth: Duration, bytes: Int = Ring.usualMostBytes) -> RingClaim {
        let claim = RingClaim(depth, bytes, on: self)
        claims.append(WeakClaim(claim: claim))
        fitDepth()
        return claim
    }

    /// A claim has gone.
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

// MARK: - Archives

extension StreamHub {
    /// Something keeps audio of this programme for longer than the ring.
    package func add(_ archive: any FrameArchive) {
        if archives.count >= Self.mostArchives { archives.removeFirst() }
        archives.append(archive)
    }

    /// The archive that has the frame with this number, or else the first one behind it; nil where none has any.
    package func archive(from frame: Int64) -> (archive: any FrameArchive, firstFrame: Int64)? {
        archives.compactMap { archive in archive.firstFrame(from: frame).map { (archive, $0) } }
            .min { $0.1 < $1.1 }
    }

    /// A station is recorded again and again.
    private static let mostArchives = 8
}

// MARK: - Sinks

extension StreamHub {
    /// Adds a sink, which begins at a place in the audio that is kept.
    ///
    /// It first hears what applies there: station, format, air time, title. Where that place lies in the past, it hears
    /// during this call what has come since.
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

    /// Ends the programme for one sink: it hears of the gap that there is just now, if any, and of a proper end.
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
            tell(.title(StreamTitle(text: title.text, position: position, raw: title.raw)))
        }
        for event in replay { tell(event) }
        if let end { tell(.ended(end)) }
    }

    private func replay(from place: JoinPlace) -> Replay {
        let oldest = min(position.frames, max(ring.oldestFrame, timeline.start))
        switch place {
        case .live: return Replay(of: ring, timeline, from: position.frames)
        case .behind(let time): return Replay(of: ring, timeline, from: max(oldest, ring.frame(behind: time)))
        case .airTime(let instant):
            var search = Replay(of: ring, timeline, from: oldest)
            while let event = search.next() {
                guard case .chunk(let chunk) = event, let airTime = search.applicable.airTime else { continue }
                let earlier = chunk.frames(airedBefore: instant, by: airTime)
                guard earlier == chunk.frames.count else {
                    return Replay(of: ring, timeline, from: chunk.position.frames + Int64(earlier))
                }
            }
            return Replay(of: ring, timeline, from: position.frames)
        }
    }

    private func retune() {
        tolerance = sinks.compactMap(\.tolerance).min()
    }

    private func tell(_ event: StreamEvent) {
        // A sink may end the programme in the middle of what a source delivers.
        guard !hasEnded else { return }
        timeline.add(event, at: position)
        // A sink may detach itself or another during the call. The loop goes through a copy of the list.
        for sink in sinks { sink.receive(event) }
    }
}

// MARK: - What a source delivers

extension StreamHub {
    package func announce(_ info: StationInfo) {
        guard info != self.info else { return }
        flush()
        self.info = info
        tell(.station(info))
    }

    /// The frames that follow have this format.
    package func begin(_ format: StreamFormat) {
        guard format != ring.format else { return }
        flush()
        ring.begin(format)
        airTime = nil
        tell(.format(format, at: position))
    }

    /// The next frame does not follow the one before it.
    package func mark(_ kind: Discontinuity.Kind) {
        flush()
        if case .gap = kind { airTime = nil }
        tell(.discontinuity(Discontinuity(kind: kind, position: position)))
    }

    /// The next frame came on a new connection, and follows the one before it.
    package func mark(_ splice: Splice) {
        flush()
        tell(.splice(splice))
    }

    /// Reports what a stretch that was delivered turned out to be.
    package func mark(_ stretch: Stretch) {
        flush()
        tell(.stretch(stretch))
    }

    /// The next frame is the first that this title belongs to. A repeat is no event.
    package func setTitle(_ text: String, raw: [UInt8] = []) {
        guard text != title?.text else { return }
        flush()
        let title = StreamTitle(text: text, position: position, raw: raw)
        self.title = title
        tell(.title(title))
    }

    /// Goes out ahead of the gathered frames: it was learned from their arrival.
    package func setAirTime(_ airTime: AirTime) {
        guard airTime != self.airTime else { return }
        self.airTime = airTime
        tell(.airTime(airTime))
    }

    /// One whole frame; copied into the ring.
    package func append(_ frame: UnsafeRawBufferPointer, samples: Int, backReference: Int) {
        append(
            FrameBatch(FrameFacts(samples: samples, backReference: backReference), length: frame.count), frame)
    }

    /// Whole frames; copied into the ring.
    package func append(_ batch: FrameBatch, _ bytes: UnsafeRawBufferPointer) {
        var next = 0
        while let chunk = ring.append(batch, from: next, bytes) {
            next += chunk.frames.count
            if let gathered = pending, gathered.slab === chunk.slab {
                pending = gathered.joined(chunk)
                continue
            }
            flush()
            // A new slab may have taken the place of an old one.
            if chunk.frames.lowerBound == 0 { forgetOldest() }
            pending = chunk
        }
    }

    /// Hands all gathered frames to the sinks.
    package func flush() {
        if let chunk = pending.take() { tell(.chunk(chunk)) }
    }

    /// The programme is over; nothing comes after it, whatever a source still brings.
    package func end(_ failure: Failure?) {
        isComplete = true
        flush()
        guard !hasEnded else { return }
        end = .some(failure)
        for sink in sinks { sink.receive(.ended(failure)) }
    }
}

// SPDX-License-Identifier: MIT

import Decoding
import Instants
import RadioCore
import RadioFormats
import Stations

/// A player's cursor in the ring of a programme: hands frames over to the sound thread a second at a time, and knows
/// what applies to them. Confined to the loop's thread.
///
/// What has not been handed over stays in the ring, so that a pause costs no memory of its own. The ring is claimed as
/// deep as the cursor lies behind the live edge, and some way more to go back. What it has dropped is read from an
/// archive, where there is one.
final class RingReader {
    private let hub: StreamHub
    private let pipe: FramePipe
    private let marks: MarkBook
    private let archived: ArchivedAudio
    /// Whom it reads for.
    weak var source: PlaySource?
    /// The number of the frame that is handed over next.
    private var next: Int64
    /// Where that frame begins in the programme.
    private var place: Duration
    /// Where the newest frame ends in the programme, counted from the first that this reader heard of.
    private(set) var edge: Duration
    /// The place that counts as the programme's beginning: behind all that was handed over before.
    private(set) var origin: Duration
    /// The place of the first sample that is to be heard.
    private(set) var heardOrigin: Duration
    private var hasHeard = false
    private var isNew = true
    /// Whether its audio goes on from what the pipe got before, without a fade.
    private var follows: Bool
    private var format: StreamFormat?
    private var needsRun = true
    private var title: String?
    private var claim: RingClaim?
    private var hasEnded = false
    /// Whether everything has been handed over and nothing follows.
    private(set) var isAtEnd = false
    /// Whether the next frame is being read from an archive.
    private(set) var isReading = false
    /// Frames of the next chunk that only make a decoder ready.
    private var unheardFrames: Int64 = 0

    /// So much is kept behind the place that is handed over next, to go back.
    private static let back = Duration.seconds(30)
    /// The most that is kept for a player that has paused; it goes on with the oldest of it.
    private static let longestPause = Duration.seconds(30 * 60)
    private static let mostBytes = 64 << 20
    private static let claimStep = Duration.seconds(30)

    init(_ hub: StreamHub, _ pipe: FramePipe, _ marks: MarkBook, origin: Duration = .zero, follows: Bool = false) {
        self.hub = hub
        self.pipe = pipe
        self.marks = marks
        archived = ArchivedAudio(hub)
        self.origin = origin
        self.follows = follows
        (place, edge, heardOrigin) = (origin, origin, origin)
        next = hub.position.frames
        fitClaim()
    }

    /// Called when an archive has brought the next frames.
    var onArchived: (() -> Void)? {
        get { archived.onChunk }
        set { archived.onChunk = newValue }
    }

    /// How much audio there is from a place in the programme on.
    func ahead(of place: Duration) -> Duration { edge - place }

    /// How much of that has not been handed over.
    var backlog: Duration { edge - place }

    /// Whether a place is in the ring, or as good as at its end.
    func reaches(_ place: Duration) -> Bool {
        place <= edge && place >= edge - hub.ring.duration(from: hub.ring.oldestFrame)
    }

    // MARK: What the hub tells

    func receive(_ event: StreamEvent) {
        switch event {
        case .chunk(let chunk):
            // A reader that begins in the past hears of that first.
            if !hasHeard { begin(with: chunk) }
            edge += chunk.duration
            fitClaim()
        case .ended: hasEnded = true
        case .station, .format, .discontinuity, .title, .splice, .stretch, .airTime: break
        }
    }

    /// What was handed over before has turned out to end elsewhere; nothing of this has been handed over.
    func moveOrigin(to place: Duration) {
        let shift = place - origin
        (origin, heardOrigin) = (place, heardOrigin + shift)
        (self.place, edge) = (self.place + shift, edge + shift)
    }

    private func begin(with chunk: Chunk) {
        hasHeard = true
        next = min(next, chunk.position.frames)
        let unheard = (source?.passage.first).map { $0.subtractingReportingOverflow(chunk.position.samples) }
        guard let unheard, !unheard.overflow, unheard.partialValue > 0 else { return }
        heardOrigin = origin + .samples(unheard.partialValue, at: chunk.format.sampleRate)
    }

    private func fitClaim() {
        let wanted = min(edge - place + Self.back, Self.longestPause)
        let depth = claim?.depth ?? .zero
        var claim = claim
        if wanted > depth || wanted < depth - Self.claimStep * 2 {
            claim = hub.claim(min(wanted + Self.claimStep, Self.longestPause), bytes: Self.mostBytes)
        }
        // What is archived can be gone back to.
        claim?.timelineStart = hub.archive(from: .min)?.firstFrame
        // The new claim stands before the old one goes.
        self.claim = claim
    }

    // MARK: Handing over

    /// Hands over what the pipe takes.
    func handOver() {
        guard !isAtEnd else { return }
        isReading = false
        while pipe.hasRoom, let chunk = nextChunk() { handOver(chunk) }
        if hasEnded, next >= hub.position.frames { isAtEnd = true }
        fitClaim()
    }

    /// What is handed over next; nil where that is not at hand.
    private func nextChunk() -> Chunk? {
        if next < hub.ring.oldestFrame {
            switch archived.look(for: next) {
            case .chunk(let chunk) where chunk.position.frames < hub.ring.oldestFrame:
                if chunk.position.frames > next { skip(to: chunk) }
                return chunk
            case .reading:
                isReading = true
                return nil
            // What nobody has kept is not heard.
            case .chunk, .missing: move(to: hub.ring.oldestFrame)
            }
        }
        archived.close()
        return hub.ring.chunk(from: next)
    }

    /// Goes on with archived frames behind some that nobody has kept.
    private func skip(to chunk: Chunk) {
        let lost = chunk.position.frames - next
        place += chunk.duration / chunk.frames.count * Int(clamping: lost)
        next = chunk.position.frames
        needsRun = true
    }

    private func handOver(_ chunk: Chunk) {
        let events = hub.timeline.events(at: next)
        for event in events { note(event) }
        let limit = hub.timeline.nextFrame(after: next).map { Int($0 - next) } ?? .max
        let chunk = chunk.subchunk(0..<min(limit, chunk.frames.count))
        if needsRun || chunk.format != format {
            let unheard = Int(min(unheardFrames, Int64(chunk.frames.count - 1)))
            begin(chunk.format, at: chunk.subchunk(unheard..<chunk.frames.count).position)
            unheardFrames = 0
        }
        for case .title(let title) in events { mark(title.text) }
        put(chunk)
    }

    private func note(_ event: StreamEvent) {
        if case .discontinuity(let discontinuity) = event, discontinuity.kind != .firstJoin { needsRun = true }
    }

    private func mark(_ title: String) {
        guard title != self.title else { return }
        self.title = title
        pipe.mark(marks.note(.title(title)))
    }

    private func begin(_ format: StreamFormat, at position: Position) {
        // Another format in a programme counts its samples anew.
        let passage = self.format == nil || self.format == format ? source?.passage : nil
        (self.format, needsRun) = (format, false)
        let unheard = Int64(clampingRounded: (heardOrigin - place).inSeconds * Double(format.sampleRate))
        let first = passage?.first ?? position.samples.addingSaturated(max(0, unheard))
        var run = Run(format: format, first: max(position.samples, first), last: passage?.last)
        (run.follows, follows) = (follows, false)
        run.source = source?.id ?? 0
        pipe.begin(run)
        if isNew, let source { pipe.mark(marks.note(.begin(source))) }
        isNew = false
        guard position.frames >= hub.timeline.start else { return }
        if let title = hub.timeline.applicable(at: position.frames).title { mark(title.text) }
    }

    private func put(_ chunk: Chunk) {
        if hub.isComplete, chunk.position.frames + Int64(chunk.frames.count) == hub.position.frames { limit() }
        var index = chunk.frames.lowerBound
        var instant = chunk.position.samples
        chunk.slab.forEachFrame(chunk.frames) { bytes in
            let samples = chunk.slab.samples(ofFrames: index..<(index + 1))
            let length = Duration.samples(samples, at: chunk.format.sampleRate)
            place += length
            pipe.put(bytes, number: next, instant: instant, length: length, end: place)
            index += 1
            instant = instant.addingSaturated(samples)
            next += 1
        }
    }

    /// Tells the pipe how many samples of the last packet are audio; Ogg pads the rest.
    private func limit() {
        guard let codec = format?.codec, codec == .opus || codec == .vorbis else { return }
        pipe.limit(to: hub.position.samples)
    }

    // MARK: Another place

    /// Goes on so far behind the live edge, or at the oldest that is kept, or at the live edge itself.
    func jump(behind distance: Duration) {
        pipe.restart()
        (isAtEnd, follows, title, unheardFrames) = (false, false, nil, 0)
        archived.close()
        let kept = hub.ring.duration(from: hub.ring.oldestFrame)
        if distance > kept, goBack(behindOldest: distance - kept) { return }
        let frame = max(hub.ring.oldestFrame, hub.ring.frame(behind: max(.zero, distance)))
        guard let chunk = hub.ring.chunk(from: frame) else { return move(to: hub.position.frames) }
        move(to: warmUpStart(of: chunk))
        begin(chunk.format, at: chunk.position)
    }

    /// Goes on with archived audio, so far before the oldest that the ring keeps; whether there is any.
    private func goBack(behindOldest distance: Duration) -> Bool {
        let oldest = hub.ring.oldestFrame
        guard let chunk = hub.ring.chunk(from: oldest), chunk.samples > 0 else { return false }
        // Frames of one programme are of nearly the same length.
        let length = chunk.duration / chunk.frames.count
        let wanted = oldest - Int64(clampingRounded: distance / length)
        let warmUp = Decoders.warmUp(for: chunk.format, samplesPerFrame: Int(chunk.samples) / chunk.frames.count)
        guard let first = hub.archive(from: wanted - Int64(warmUp))?.firstFrame, first < oldest else { return false }
        unheardFrames = max(0, wanted - first)
        (next, needsRun) = (first, true)
        place = edge - hub.ring.duration(from: oldest) - length * Int(oldest - first)
        fitClaim()
        return true
    }

    /// The first of the frames that a decoder needs in front of a chunk; the chunk's own where those do not lead up to
    /// it.
    private func warmUpStart(of chunk: Chunk) -> Int64 {
        let frame = chunk.position.frames
        let samples = Int(chunk.samples) / max(1, chunk.frames.count)
        let start = max(
            hub.ring.oldestFrame, frame - Int64(Decoders.warmUp(for: chunk.format, samplesPerFrame: samples)))
        guard hub.ring.chunk(from: start)?.format == chunk.format else { return frame }
        let isWhole = hub.timeline.nextFrame(after: start).map { $0 > frame } ?? true
        return isWhole ? start : frame
    }

    private func move(to frame: Int64) {
        next = frame
        needsRun = true
        place = edge - hub.ring.duration(from: frame)
        fitClaim()
    }
}

// SPDX-License-Identifier: MIT

import Decoding
import Instants
import RadioCore
import RadioFormats
import Stations

/// A player's cursor in the ring of a programme: hands frames over to the sound thread about a second at a time, with
/// the formats and titles that apply to them.
///
/// Frames not yet handed over stay in the ring, so a pause needs no memory of its own. The reader claims the ring from
/// some way before the cursor, for seeking back, to the live edge. Frames that the ring has dropped are read from an
/// archive, if there is one.
///
/// A place is a time on the player's timeline, which runs on from one source to the next.
final class RingReader {
    private let hub: StreamHub
    private let pipe: FramePipe
    private let cues: CueBook
    let archived: ArchivedAudio
    /// The source that owns the reader.
    weak var source: PlaySource?
    /// The number of the next frame to hand over.
    private var next: Int64
    /// The place at which the frame ``next`` begins.
    private var place: Duration
    /// The place at which the newest frame ends.
    private(set) var edge: Duration
    /// The place of the first frame received: the end of the source before.
    private(set) var origin: Duration
    /// The place of the first sample to be heard: ``origin``, or later if the passage cuts off the beginning.
    private(set) var heardOrigin: Duration
    private(set) var hasAudio = false
    /// Whether the next run continues the audio before it in the pipe without a fade.
    private var follows: Bool
    private var format: StreamFormat?
    private var needsRun = true
    private var title: String?
    private var claim: RingClaim?
    /// Whether the next frame is being read from an archive.
    private(set) var isReading = false
    /// How many frames of the next chunk are pre-roll, decoded but not heard.
    private var unheardFrames: Int64 = 0

    /// How much audio before the cursor is kept, for seeking back.
    private static let back = Duration.seconds(30)
    /// The limit for the span claimed in the ring. After a pause that is longer, playback resumes at the oldest frame
    /// kept.
    private static let longestPause = Duration.seconds(30 * 60)
    private static let mostBytes = 64 << 20
    private static let claimStep = Duration.seconds(30)

    init(_ hub: StreamHub, _ pipe: FramePipe, _ cues: CueBook, origin: Duration = .zero, follows: Bool = false) {
        self.hub = hub
        self.pipe = pipe
        self.cues = cues
        archived = ArchivedAudio(hub)
        self.origin = origin
        self.follows = follows
        (place, edge, heardOrigin) = (origin, origin, origin)
        next = hub.position.frames
        fitClaim()
    }

    /// Called with the length of audio that cannot be played, because it is no longer kept.
    var onSkipped: ((Duration) -> Void)?

    /// How much audio lies between a place and the newest frame's end.
    func ahead(of place: Duration) -> Duration { edge - place }

    /// How much received audio has not been handed over.
    var backlog: Duration { edge - place }

    /// Whether a place is in the ring, or at its end.
    func reaches(_ place: Duration) -> Bool {
        place <= edge && place >= edge - hub.ring.duration(from: hub.ring.oldestFrame)
    }

    // MARK: Events of the hub

    func receive(_ chunk: Chunk) {
        // A reader that joined behind the live edge first receives a chunk from the past.
        if !hasAudio { begin(with: chunk) }
        edge += chunk.duration
        fitClaim()
    }

    /// Moves all places so that the source begins at `place`, where the previous source has ended. Call only before
    /// handing anything over.
    func moveOrigin(to place: Duration) {
        let shift = place - origin
        (origin, heardOrigin) = (place, heardOrigin + shift)
        (self.place, edge) = (self.place + shift, edge + shift)
    }

    private func begin(with chunk: Chunk) {
        hasAudio = true
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
        // Keeps the timeline of the archived audio as well, for seeking back.
        claim?.timelineStart = hub.archive(from: .min)?.firstFrame
        // The old claim is released only once the new claim stands.
        self.claim = claim
    }

    // MARK: Handing over

    /// Hands frames over until the pipe is full.
    func handOver() {
        guard let source, !source.isAtEnd else { return }
        isReading = false
        while pipe.hasRoom, let chunk = nextChunk() { handOver(chunk) }
        if next >= hub.position.frames { source.end?.tail = .handedOver }
        fitClaim()
    }

    /// The next frames to hand over; nil if they are not available yet.
    private func nextChunk() -> Chunk? {
        if next < hub.ring.oldestFrame {
            switch archived.look(for: next) {
            case .chunk(let chunk) where chunk.position.frames < hub.ring.oldestFrame:
                if chunk.position.frames > next { skip(to: chunk) }
                return chunk
            case .reading:
                isReading = true
                return nil
            // Frames in neither the ring nor an archive are skipped.
            case .chunk, .missing:
                let before = place
                move(to: hub.ring.oldestFrame)
                onSkipped?(place - before)
            }
        }
        archived.close()
        return hub.ring.chunk(from: next).flatMap(certain)
    }

    /// The frames of a chunk that can be handed over: frames with padding wait until it is known whether the audio ends
    /// after them. Nil if there are none.
    private func certain(_ chunk: Chunk) -> Chunk? {
        guard let padding = source?.passage.padding, !hub.isComplete, hub.position.samples <= padding.upperBound,
            chunk.position.samples.addingSaturated(chunk.samples) > padding.lowerBound
        else { return chunk }
        let room = padding.lowerBound.addingSaturated(-chunk.position.samples)
        let first = chunk.frames.lowerBound
        let count = chunk.frames.indices.count { chunk.slab.samples(ofFrames: first..<($0 + 1)) <= room }
        return count > 0 ? chunk.subchunk(0..<count) : nil
    }

    /// Skips frames that were not kept, and continues with archived frames.
    private func skip(to chunk: Chunk) {
        let lost = chunk.position.frames - next
        let duration = chunk.duration / chunk.frames.count * Int(clamping: lost)
        place += duration
        onSkipped?(duration)
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
            begin(at: chunk.subchunk(unheard..<chunk.frames.count))
            unheardFrames = 0
        }
        for case .title(let title) in events { cue(title.text) }
        put(chunk)
    }

    private func note(_ event: StreamEvent) {
        if case .discontinuity(let discontinuity) = event, discontinuity.kind != .firstJoin { needsRun = true }
    }

    private func cue(_ title: String) {
        guard title != self.title else { return }
        self.title = title
        pipe.cue(cues.note(.title(title)))
    }

    /// Begins a run that is heard from the start of a chunk. The frames from the cursor to the chunk are pre-roll.
    private func begin(at chunk: Chunk) {
        let (format, position) = (chunk.format, chunk.position)
        // A later format restarts the programme's sample count, so the passage does not apply.
        let passage = self.format == nil || self.format == format ? source?.passage : nil
        (self.format, needsRun) = (format, false)
        let unheard = Int64(clampingRounded: (heardOrigin - place).inSeconds * Double(format.sampleRate))
        let first = passage?.first ?? position.samples.addingSaturated(max(0, unheard))
        var run = PipeRun(format: format, first: max(position.samples, first))
        (run.follows, follows) = (follows, false)
        run.source = source?.id ?? 0
        run.followsClock = source?.isLive ?? false
        pipe.begin(run)
        if let source, source.beginning == .unmarked {
            source.beginning = .marked
            let preroll = chunk.duration / chunk.frames.count * Int(clamping: position.frames - next)
            pipe.cue(cues.note(.begin(source, at: max(place + preroll, heardOrigin))))
        }
        guard position.frames >= hub.timeline.start else { return }
        cue(hub.timeline.applicable(at: position.frames).title?.text ?? "")
    }

    private func put(_ chunk: Chunk) {
        limit(chunk)
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

    /// Tells the pipe where the audio ends if it ends with these frames; the rest of them is padding.
    private func limit(_ chunk: Chunk) {
        guard hub.isComplete, hub.timeline.nextBreak(after: chunk.position.frames) == nil, let end,
            chunk.position.samples.addingSaturated(chunk.samples) >= end
        else { return }
        pipe.limit(to: end)
    }

    /// The end of the samples to be heard, given that the programme ends with the newest frame; nil if all are heard.
    private var end: Int64? {
        let last = hub.position.samples
        switch format?.codec {
        // The framer counts the samples of the last packet without its padding.
        case .opus, .vorbis: return last
        default: return source?.passage.padding.flatMap { $0.upperBound == last ? $0.lowerBound : nil }
        }
    }

    // MARK: Jumping

    /// Continues `distance` behind the live edge, or at the nearest audio that is kept.
    func jump(behind distance: Duration) {
        pipe.restart()
        (follows, title, unheardFrames) = (false, nil, 0)
        if source?.beginning == .marked { source?.beginning = .unmarked }
        archived.close()
        let kept = hub.ring.duration(from: hub.ring.oldestFrame)
        if distance > kept, goBack(behindOldest: distance - kept) { return }
        let frame = max(hub.ring.oldestFrame, hub.ring.frame(behind: max(.zero, distance)))
        guard let chunk = hub.ring.chunk(from: frame) else { return move(to: hub.position.frames) }
        move(to: warmUpStart(of: chunk))
        begin(at: chunk)
    }

    /// Continues with archived audio, `distance` before the ring's oldest frame. Returns false if none is archived.
    private func goBack(behindOldest distance: Duration) -> Bool {
        let oldest = hub.ring.oldestFrame
        guard let chunk = hub.ring.chunk(from: oldest), chunk.samples > 0 else { return false }
        // The frames of a programme have nearly the same duration.
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

    /// The first frame of the decoder's pre-roll before a chunk; the chunk's own first frame if audio breaks between.
    private func warmUpStart(of chunk: Chunk) -> Int64 {
        let frame = chunk.position.frames
        let samples = Int(chunk.samples) / max(1, chunk.frames.count)
        let start = max(
            hub.ring.oldestFrame, frame - Int64(Decoders.warmUp(for: chunk.format, samplesPerFrame: samples)))
        guard hub.ring.chunk(from: start)?.format == chunk.format else { return frame }
        let isWhole = hub.timeline.nextBreak(after: start).map { $0 > frame } ?? true
        return isWhole ? start : frame
    }

    private func move(to frame: Int64) {
        next = frame
        needsRun = true
        place = edge - hub.ring.duration(from: frame)
        fitClaim()
    }
}

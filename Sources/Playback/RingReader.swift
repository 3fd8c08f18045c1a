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
/// deep as the cursor lies behind the live edge, and some way more to go back.
final class RingReader {
    private let hub: StreamHub
    private let pipe: FramePipe
    /// The number of the frame that is handed over next.
    private var next: Int64
    /// Where that frame begins in the programme.
    private var place = Duration.zero
    /// Where the newest frame ends in the programme, counted from the first that this reader heard of.
    private(set) var edge = Duration.zero
    private var format: StreamFormat?
    private var needsRun = true
    private var title: String?
    /// Titles whose audio has been handed over, by their marks.
    private var marks: [Int64: String] = [:]
    private var lastMark: Int64 = 0
    private var claim: RingClaim?
    private var hasEnded = false
    /// Whether everything has been handed over and nothing follows.
    private(set) var isAtEnd = false

    /// So much is kept behind the place that is handed over next, to go back.
    private static let back = Duration.seconds(30)
    /// The most that is kept for a player that has paused; it goes on with the oldest of it.
    private static let longestPause = Duration.seconds(30 * 60)
    private static let mostBytes = 64 << 20
    private static let claimStep = Duration.seconds(30)

    init(_ hub: StreamHub, _ pipe: FramePipe) {
        self.hub = hub
        self.pipe = pipe
        next = hub.position.frames
        fitClaim()
    }

    /// How much audio there is from a place in the programme on.
    func ahead(of place: Duration) -> Duration { edge - place }

    // MARK: What the hub tells

    func receive(_ event: StreamEvent) {
        switch event {
        case .chunk(let chunk):
            // A reader that begins in the past hears of that first.
            if edge == .zero { next = min(next, chunk.position.frames) }
            edge += chunk.duration
            fitClaim()
        case .ended: hasEnded = true
        case .station, .format, .discontinuity, .title, .splice, .stretch, .airTime: break
        }
    }

    private func fitClaim() {
        let wanted = edge - place + Self.back
        let depth = claim?.depth ?? .zero
        guard wanted > depth || wanted < depth - Self.claimStep * 2 else { return }
        // The new claim comes before the old one goes.
        claim = hub.claim(min(wanted + Self.claimStep, Self.longestPause), bytes: Self.mostBytes)
    }

    // MARK: Handing over

    /// Hands over what the pipe takes.
    func handOver() {
        guard !isAtEnd else { return }
        // What the ring has let go of is not heard.
        if hub.ring.oldestFrame > next { move(to: hub.ring.oldestFrame) }
        while pipe.hasRoom, let chunk = hub.ring.chunk(from: next) { handOver(chunk) }
        if hasEnded, next >= hub.position.frames {
            isAtEnd = true
            pipe.end()
        }
        fitClaim()
    }

    private func handOver(_ chunk: Chunk) {
        for event in hub.timeline.events(at: next) { tell(event) }
        let limit = hub.timeline.nextFrame(after: next).map { Int($0 - next) } ?? .max
        let chunk = chunk.subchunk(0..<min(limit, chunk.frames.count))
        if needsRun || chunk.format != format { begin(chunk.format, at: chunk.position) }
        put(chunk)
    }

    private func tell(_ event: StreamEvent) {
        switch event {
        case .discontinuity(let discontinuity): if discontinuity.kind != .firstJoin { needsRun = true }
        case .title(let title): mark(title.text)
        case .station, .format, .splice, .stretch, .airTime, .chunk, .ended: break
        }
    }

    private func mark(_ title: String) {
        guard title != self.title else { return }
        self.title = title
        lastMark += 1
        marks[lastMark] = title
        pipe.mark(lastMark)
    }

    private func begin(_ format: StreamFormat, at position: Position) {
        if let title = hub.timeline.applicable(at: position.frames).title { mark(title.text) }
        (self.format, needsRun) = (format, false)
        pipe.begin(Run(format: format, first: position.samples))
    }

    private func put(_ chunk: Chunk) {
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

    /// The title that is heard from a mark on.
    func title(at mark: Int64) -> String? {
        defer { marks = marks.filter { $0.key > mark } }
        return marks[mark]
    }

    // MARK: Another place

    /// Goes on so far behind the live edge, or at the oldest that is kept, or at the live edge itself.
    func jump(behind distance: Duration) {
        pipe.restart()
        isAtEnd = false
        let frame = max(hub.ring.oldestFrame, hub.ring.frame(behind: max(.zero, distance)))
        guard let chunk = hub.ring.chunk(from: frame) else { return move(to: hub.position.frames) }
        move(to: warmUpStart(of: chunk))
        begin(chunk.format, at: chunk.position)
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

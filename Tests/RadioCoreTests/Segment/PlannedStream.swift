// SPDX-License-Identifier: MIT

import Instants
import RadioFormats
import TestSupport
import Testing

@testable import RadioCore

/// A simulated stream: makes chunks for the planner and keeps the planner's actions.
struct PlannedStream {
    static let mp3 = StreamFormat(codec: .mp3, mpegVersion: .mpeg1, sampleRate: 48_000, channels: 2)
    static let mono = StreamFormat(codec: .mp3, mpegVersion: .mpeg1, sampleRate: 32_000, channels: 1)
    /// 48 frames of 1000 samples last one second.
    static let frameSamples = 1000

    var planner: SegmentPlanner
    var actions: [SegmentAction] = []
    var now = WallInstant("2026-11-21T12:00:00Z")
    var frameBytes = 8
    private(set) var format = PlannedStream.mp3
    private(set) var position = Position()

    init(_ policy: SegmentPolicy, zone: any TimeZoneRules = FixedZone.utc, titleOffset: Duration = .zero) {
        planner = SegmentPlanner(policy: policy, zone: zone, titleOffset: titleOffset)
    }

    /// Begins the format, with air time settled so that its first frame was live at `airTime`.
    init(_ policy: SegmentPolicy, from airTime: String, titleOffset: Duration = .zero) {
        self.init(policy, titleOffset: titleOffset)
        begin(Self.mp3)
        settle(airTime)
    }

    mutating func send(_ event: StreamEvent) { actions += planner.receive(event, now: now) }

    mutating func begin(_ format: StreamFormat) {
        self.format = format
        position.samples = 0
        send(.format(format, at: position))
    }

    /// Moves the next frame to `sample`, as if earlier frames had claimed long playing times.
    mutating func go(to sample: Int64) { position.samples = sample }

    /// Sets the air time so that the next frame is live at `airTime`.
    mutating func settle(_ airTime: String, isSettled: Bool = true) {
        let origin = WallInstant(airTime) - .samples(position.samples, at: format.sampleRate)
        send(.airTime(AirTime(origin: origin, sampleRate: format.sampleRate, isSettled: isSettled)))
    }

    mutating func title(_ text: String, mayBeOlder: Bool = false) {
        send(.title(StreamTitle(text: text, position: position, mayBeOlder: mayBeOlder)))
    }

    mutating func gap() {
        let gap = Gap(at: now, length: nil, cause: "test")
        send(.discontinuity(Discontinuity(kind: .gap(gap), position: position)))
    }

    mutating func splice() {
        send(.splice(Splice(position: position, at: now, droppedFrames: 100, method: .match)))
    }

    /// Reports the last `count` frames as a foreign span.
    mutating func foreign(last count: Int64) {
        var start = position
        start.frames = max(0, position.frames - count)
        send(.stretch(Stretch(.foreign, frames: start.frames..<position.frames, at: now, length: .seconds(1))))
    }

    /// Sends frames, in chunks of at most `chunk`.
    mutating func frames(_ count: Int, chunk: Int = 10, samples: Int = PlannedStream.frameSamples) {
        var rest = count
        while rest > 0 {
            send(.chunk(next(min(chunk, rest), samples: samples)))
            rest -= chunk
        }
    }

    mutating func finish() { actions += planner.finish(now: now) }

    /// Ends the stream, and returns the segments that the actions made. Complaints are test failures.
    mutating func finished(location: SourceLocation = #_sourceLocation) -> [MadeSegment] {
        finish()
        let oracle = ActionOracle(actions)
        #expect(oracle.complaints.isEmpty, sourceLocation: location)
        return oracle.segments
    }

    private mutating func next(_ count: Int, samples: Int) -> Chunk {
        let slab = Slab(format: format, capacity: count * frameBytes, position: position)
        let start = position
        let frame = [UInt8](repeating: 0, count: frameBytes)
        for _ in 0..<count {
            frame.withUnsafeBytes { bytes in
                _ = slab.append(bytes, FrameFacts(samples: Int(samples)))
            }
        }
        position.frames += Int64(count)
        position.bytes += Int64(count * frameBytes)
        position.samples = position.samples.addingSaturated(Int64(count * samples))
        return Chunk(
            slab: slab, frames: 0..<count, bytes: 0..<count * frameBytes, position: start,
            samples: Int64(count * samples))
    }
}

/// A segment that the actions produced.
struct MadeSegment: Equatable {
    var plan: SegmentPlan
    var frames: Range<Int64>
    var titles: [String] = []
    var titleFrames: [Int64] = []
    /// Frames with a mark other than a title.
    var marked: [Int64] = []
    var end: CutCause?
    var isComplete = false
}

/// Runs actions as a recorder would, and notes a complaint for each action that no recorder could run.
struct ActionOracle {
    private(set) var segments: [MadeSegment] = []
    private(set) var complaints: [String] = []
    private(set) var notices = 0
    private var open: MadeSegment?
    /// The frame that must come next.
    private var nextFrame: Int64?

    init(_ actions: [SegmentAction]) {
        for action in actions { run(action) }
        if open != nil { complaints.append("a segment was left open") }
    }

    private mutating func run(_ action: SegmentAction) {
        switch action {
        case .open(let plan):
            if open != nil { complaints.append("opened twice") }
            if plan.sequence != segments.count + 1 { complaints.append("segment \(plan.sequence) out of sequence") }
            open = MadeSegment(plan: plan, frames: plan.position.frames..<plan.position.frames)
        case .entry(let entry):
            if open == nil { complaints.append("an entry outside a segment") }
            switch entry {
            case .title(let title, _):
                open?.titles.append(title.text)
                open?.titleFrames.append(title.position.frames)
                if title.position.frames != open?.frames.upperBound { complaints.append("a title beside its frame") }
            case .hole: open?.marked.append(entry.frame)
            case .discontinuity, .splice, .stretch:
                open?.marked.append(entry.frame)
                if let segment = open, entry.frame != segment.frames.upperBound {
                    complaints.append("an entry beside its frame")
                }
            }
        case .append(let chunk):
            guard let segment = open else { return complaints.append("frames outside a segment") }
            let first = chunk.position.frames
            if chunk.format != segment.plan.format { complaints.append("another format") }
            if let nextFrame, nextFrame != first { complaints.append("frame \(nextFrame) is followed by \(first)") }
            if first != segment.frames.upperBound { complaints.append("frame \(first) is not the next of its segment") }
            nextFrame = first + Int64(chunk.frames.count)
            open?.frames = segment.frames.lowerBound..<first + Int64(chunk.frames.count)
        case .close(let cause, let isComplete):
            guard var segment = open else { return complaints.append("closed twice") }
            if segment.frames.isEmpty { complaints.append("a segment without frames") }
            segment.end = cause
            segment.isComplete = isComplete
            segments.append(segment)
            open = nil
        case .notice: notices += 1
        }
    }
}

// SPDX-License-Identifier: MIT

import EventLoop
import Instants
import RadioCore
import RadioFormats

/// From the segments of a station, in their order, to its programme: frames them, finds what is missing between them,
/// says when they were on air, and lets the segments of another lineage continue the programme.
final class HLSTrack {
    private let trunk: Trunk
    private let reactor: any Reactor
    private let faults: StreamFaults
    private var reader: HLSReader?
    /// What the reader reads, and the section that it has read before.
    private var container: SegmentContainer?
    private var map: SegmentMap?
    private var sampleRate = 1
    private var seams = HLSSeams()
    private var clock = HLSClock()
    /// That of the lineage before.
    private var oldClock = HLSClock()
    /// What is known to be missing before the next frame; nil if nothing is.
    private var missing: Missing?
    /// When the end of the last segment that was passed on was at the edge, at the latest.
    private var lastDue: MonotonicInstant?
    /// The segments of a new lineage, while these are compared with what was delivered.
    private var joint: HLSJoint?
    /// The segment whose first frame comes next, and how much of its audio was left out before that frame.
    private var next: (delivery: HLSMachine.Delivery, leftOut: Duration)?
    /// The segment that is being delivered.
    private var current: HLSMachine.Delivery?
    private var adverts = HLSAdverts()

    private struct Missing {
        /// The length according to the lists; nil if they do not tell.
        var length: Duration?
        /// Nil if the station left it out.
        var failure: Failure?
        /// If another lineage follows, whose times may be on another line: how far the length may be off.
        var error: Duration?
    }

    /// The frames of the current segment so far.
    private var frames = 0

    private static let longestFrame = Duration.milliseconds(200)
    /// How far the times of segments may be off their dates or listings, at least.
    private static let leastSlack = Duration.seconds(2)

    init(_ trunk: Trunk, _ reactor: any Reactor, _ faults: StreamFaults) {
        (self.trunk, self.reactor, self.faults) = (trunk, reactor, faults)
    }
}

// MARK: - What the machine decides

extension HLSTrack {
    /// Segments of another lineage follow.
    func begin() {
        reader?.restart { [self] in take($0) }
        (reader, missing, oldClock, clock) = (nil, nil, clock, HLSClock())
        joint = trunk.memory.isEmpty ? nil : HLSJoint(after: trunk.memory)
    }

    /// A list has these date ranges.
    func take(_ ranges: [DateRange]) { adverts.take(ranges) }

    /// A segment is left out.
    func leaveOut(_ segment: ListedSegment, _ failure: Failure?) {
        if let edge = trunk.edge {
            adverts.take(segment.cue, at: edge + (missing?.length ?? .zero), length: segment.duration)
        }
        reader?.restart { [self] in take($0) }
        if joint?.take(missing: segment.duration, failure) != true { miss(segment.duration, failure) }
    }

    private func miss(_ length: Duration, _ failure: Failure?) {
        missing = Missing(length: (missing?.length ?? .zero) + length, failure: failure ?? missing?.failure)
    }

    /// Delivers a segment. `section` is what comes before it. Throws if it cannot be read.
    func deliver(_ delivery: HLSMachine.Delivery, _ bytes: [UInt8], section: [UInt8]?) throws(Failure) {
        (current, next) = (delivery, (delivery, .zero))
        defer { if joint == nil { lastDue = delivery.due } }
        joint?.begin(delivery)
        do throws(DemuxProblem) {
            try prepare(delivery.segment, bytes, section)
            let title = SegmentTitle(info: delivery.segment.info)
            if let text = title.text { take(.part(.title(text, raw: Array(text.utf8), url: title.artwork))) }
            frames = 0
            try reader?.read(bytes) { [self] in take($0) }
            // The last frame may only be known when the next segment begins.
            if frames == 0, delivery.segment.duration >= Self.longestFrame { throw .noAudio }
        } catch {
            reader = nil
            throw Failure(unreadable: error, at: AddressText(delivery.segment.url).redacted)
        }
        settle()
        trunk.arrived(reactor.readClocks().now)
        trunk.fillGaps()
        trunk.hub.flush()
    }

    /// Makes a reader for a segment, unless that of the segments before it can go on.
    private func prepare(
        _ segment: ListedSegment, _ bytes: [UInt8], _ section: [UInt8]?
    ) throws(DemuxProblem) {
        let container = SegmentContainer(of: bytes, hasSection: section != nil)
        if reader != nil, container == self.container, segment.map == map { return }
        reader?.restart { [self] in take($0) }
        (self.container, map) = (container, segment.map)
        var new = HLSReader(container.makeDemuxer())
        if let section { try new.read(section) { [self] in take($0) } }
        reader = new
    }
}

// MARK: - What the reader yields

extension HLSTrack {
    private func take(_ output: HLSReader.Output) {
        switch output {
        case .skipped(let bytes, let reason): faults.skip(bytes, reason)
        case .wrongChecksum: faults.wrongChecksums += 1
        case .time(let time): if joint == nil { judge(time) } else { joint?.take(output) }
        case .part(let part): if joint == nil { pass(part) } else { joint?.take(output) }
        case .frames(let batch, let bytes):
            frames += batch.count
            if joint == nil { pass(batch, bytes) } else { joint?.take(output) }
        }
    }

    private func pass(_ part: StreamPart) {
        if case .format(let format) = part { sampleRate = format.sampleRate }
        trunk.take(part)
    }

    private func pass(_ batch: FrameBatch, _ bytes: UnsafeRawBufferPointer) {
        leaveOut()
        place()
        seams.follow(batch.samples, at: sampleRate)
        trunk.take(batch, bytes, noting: adverts, sampleRate)
    }

    /// Compares the time of the next frame with the audio before it.
    private func judge(_ time: MediaTime) {
        let isNewLine = current?.segment.isDiscontinuous == true
        let verdict =
            missing?.error.map { seams.judge(time, frame: frameLength, expected: missing?.length, error: $0) }
            ?? seams.judge(time, frame: frameLength, isBroken: missing != nil, isNewLine: isNewLine, most: most)
        switch verdict {
        case .follows: missing = nil
        case .missing(let length):
            let known = missing?.error == nil ? missing?.length : nil
            missing = Missing(length: length ?? known, failure: missing?.failure)
            leaveOut()
        case .overlaps(let length):
            missing = nil
            guard let current else { break }
            joint = HLSJoint(after: trunk.memory, overlap: length)
            joint?.begin(current)
        }
    }

    private var frameLength: Duration { trunk.memory.marks(from: 1, count: 1).first?.duration ?? .zero }

    /// The most audio that can be missing before the current segment, by the clock.
    private var most: Duration {
        guard let current, let lastDue else { return .zero }
        return max(.zero, current.due - current.segment.duration - lastDue) + (missing?.length ?? .zero)
            + max(Self.leastSlack, current.segment.duration * 3)
    }

    /// Reports what is missing before the next frame, if anything is.
    private func leaveOut() {
        guard var missing = missing.take(), trunk.hub.hasAudio else { return }
        if let error = missing.error, error > HLSSeams.mostError || missing.length.map({ $0 <= .zero }) ?? false {
            missing.length = nil
        }
        let edge = trunk.edge
        clock.skip(missing.length)
        trunk.leaveOut(missing.length, missing.failure)
        guard let edge else { return }
        trunk.place(at: reactor.readClocks().instant(of: edge + (missing.length ?? .zero)))
    }

    /// Says when the segment was on air whose first frame comes next.
    private func place() {
        guard let (delivery, leftOut) = next.take() else { return }
        let clocks = reactor.readClocks()
        let start = aired(delivery, from: trunk.end - leftOut, clocks)
        trunk.place(at: clocks.instant(of: start + leftOut))
        adverts.take(delivery.segment.cue, at: start, length: delivery.segment.duration)
    }

    private func aired(
        _ delivery: HLSMachine.Delivery, from start: Duration, _ clocks: ClockReading
    ) -> WallInstant {
        clock.note(
            delivery.segment.number, start: start, length: delivery.segment.duration, date: delivery.date,
            due: clocks.wall(at: delivery.due))
    }
}

// MARK: - Frames that are compared

extension HLSTrack {
    /// Decides on frames that are compared with what was delivered.
    private func settle() {
        guard var joint, let current else { return }
        let clocks = reactor.readClocks()
        // How long before the end of the audio the new frames begin, by the dates or the listings of both.
        var (lead, error): (Duration?, Duration) = (nil, .zero)
        if joint.overlap == nil, let first = joint.segments.first?.delivery, let edge = trunk.edge {
            var clock = HLSClock()
            let aired = clock.note(
                first.segment.number, start: .zero, length: first.segment.duration, date: first.date,
                due: clocks.wall(at: first.due))
            lead = clock.isDated == oldClock.isDated ? edge - aired : nil
            // Dates with fractions show that none are truncated.
            error = min(
                clock.error(ofSegments: first.segment.duration), oldClock.error(ofSegments: first.segment.duration))
            error += clock.rounding + oldClock.rounding
        }
        let verdict = joint.verdict(isNewest: current.isNewest, lead: lead)
        guard verdict != .hold else { return self.joint = joint }
        self.joint = nil
        let isOther = joint.overlap == nil
        if isOther { clock = HLSClock() }
        switch verdict {
        case .hold: break
        case .join(let drop):
            if isOther {
                seams.forget()
                trunk.spliced(dropping: drop)
            }
            release(joint, dropping: drop)
        case .gap:
            if isOther {
                // Dates that step say nothing of the audio.
                let length = lead.map { .zero - $0 }.flatMap { $0 <= most ? $0 : nil }
                missing = Missing(length: length, error: error)
            }
            release(joint, dropping: 0)
        }
    }

    private func release(_ joint: HLSJoint, dropping count: Int) {
        var left = count
        for (delivery, held) in joint.segments {
            if joint.overlap == nil { (current, next) = (delivery, (delivery, .zero)) }
            for held in held {
                switch held {
                case .time(let time): if joint.overlap == nil { judge(time) }
                case .part(let part): pass(part)
                case .missing(let length, let failure): miss(length, failure)
                case .frames(let batch, let bytes):
                    let dropped = min(left, batch.count)
                    left -= dropped
                    let samples = batch[0..<dropped].samples
                    seams.follow(samples, at: sampleRate)
                    next?.leftOut += .samples(samples, at: sampleRate)
                    guard dropped < batch.count else { continue }
                    let range = batch.range(of: dropped..<batch.count)
                    bytes[range].withUnsafeBytes { pass(batch[dropped..<batch.count], $0) }
                }
            }
        }
    }
}

extension FrameBatch {
    /// The samples of all frames.
    fileprivate var samples: Int64 {
        (0..<count).reduce(0) { $0.addingSaturated(Int64(self[$1].samples)) }
    }
}

// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import Stations

/// Stands between a programme's hub and a keeper, and determines when the recording is over.
///
/// Passes everything until ``close(at:)`` sets an end. After that, passes only frames that aired before the end. Frames
/// without an air time, such as the frames of a file, all pass. A step of the wall clock changes the map to air time,
/// and with it the end of a recording that lasts a certain time. So the gate computes the end again with each new map.
final class EndGate: StreamSink {
    /// Called once, before the first audio passes.
    var onAudio: (() -> Void)?
    /// Called when the programme has ended, after the keeper has received the end.
    var onEnd: ((Failure?) -> Void)?
    /// Called once, when everything that aired before the end has passed.
    var onClosed: (() -> Void)?

    private let keeper: any StreamSink
    /// The instant before which nothing was to be recorded; nil if the recording begins with the oldest audio, or
    /// continues another one.
    private let start: (() -> WallInstant)?
    /// The frames that have passed, and how many of them are no station's.
    private var passed: Range<Int64>?
    private var foreign: Int64 = 0
    /// The gap in which the recording began: the frame behind it, how much of it was before, and its whole length.
    private var early: (frame: Int64, lead: Duration, gap: Duration?)?
    /// The gap in which the recording ended: the frame behind it, and how much of it was before that.
    private var late: (frame: Int64, length: Duration)?
    private var airTime: AirTime?
    /// The end of the recording by the clock of ``airTime``.
    private var end: WallInstant?
    private var currentEnd: (() -> WallInstant)?
    private var state = State.open
    /// Whether what arrives now may have been on air behind an end, as a silence before it is still being judged.
    var isUnsure: (_ end: WallInstant) -> Bool = { _ in false }
    /// What waits for that.
    private var held: [StreamEvent] = []

    /// `shut`: another recording has the frames from now on. `closed`: everything that aired before the end has passed.
    private enum State { case open, shut, closed }

    init(before keeper: any StreamSink, from start: (() -> WallInstant)? = nil) {
        (self.keeper, self.start) = (keeper, start)
    }

    var tolerance: Duration? { keeper.tolerance }
    var isPatient: Bool { keeper.isPatient }

    /// Whether audio has passed, but none of a station.
    var hasOnlyForeignAudio: Bool { passed.map { $0.count <= foreign } ?? false }

    /// Whether an end has been set but not reached.
    var isClosing: Bool { end != nil && state != .closed }

    /// From now on, passes only frames that aired before an end. `end` returns that end, and is called again whenever
    /// the map from frames to air time changes.
    func close(at end: @escaping () -> WallInstant) {
        currentEnd = end
        self.end = end()
    }

    /// From now on, passes no frame: the recording that follows has it.
    func shut() {
        if state == .open { state = .shut }
    }

    func receive(_ event: StreamEvent) {
        switch event {
        case .chunk, .title, .splice, .discontinuity, .format, .stretch:
            guard !mustHold else { return held.append(event) }
            release()
            take(event)
        case .hole(let gap, let position):
            guard let first = heldFrame, first <= position.frames else { return take(event) }
            // The held frames are judged by the map that follows the hole.
            airTime = nil
            pass(gap, at: position)
        case .airTime:
            take(event)
            if !mustHold { release() }
        case .ended:
            release()
            take(event)
        case .station, .found: take(event)
        }
    }

    private var mustHold: Bool { state == .open && end.map(isUnsure) ?? false }

    private func release() {
        let events = held
        held = []
        for event in events { take(event) }
    }

    /// The first frame that waits.
    private var heldFrame: Int64? {
        for case .chunk(let chunk) in held { return chunk.position.frames }
        return nil
    }

    private func take(_ event: StreamEvent) {
        switch event {
        case .chunk(let chunk): return pass(chunk)
        case .airTime(let map):
            airTime = map
            end = currentEnd?()
        case .format: airTime = nil
        case .discontinuity(let discontinuity):
            guard case .gap(let gap) = discontinuity.kind else { break }
            airTime = nil
            return pass(gap, at: discontinuity.position)
        case .found(let found): return pass(found)
        case .stretch(let stretch):
            guard stretch.kind == .foreign, let passed else { break }
            foreign += Int64(stretch.frames.clamped(to: passed).count)
        case .hole(_, let position):
            guard let passed, passed.lowerBound < position.frames, position.frames < passed.upperBound else { return }
        case .station, .splice, .title, .ended: break
        }
        keeper.receive(event)
        if case .ended(let failure) = event { onEnd?(failure) }
    }

    /// Shortens a gap that reaches beyond the recording's beginning or end, because no audio before or after it was to
    /// be recorded. A recording may begin with audio that aired before: then all gaps behind that count.
    private func pass(_ gap: Gap, at position: Position) {
        guard state != .closed else { return }
        var gap = gap
        if passed == nil || hasOnlyForeignAudio, let start = start?(), gap.at < start {
            early = (position.frames, start - gap.at, gap.length)
            gap.length = gap.length.map { max(.zero, $0 - (start - gap.at)) }
            gap.at = start
        }
        let rest = end.map { $0 - gap.at }
        let isOver = rest.map { $0 <= gap.length ?? .zero } ?? false
        if isOver {
            gap.length = rest
            late = rest.map { (position.frames, $0) }
        }
        if rest.map({ $0 > .zero }) ?? true {
            keeper.receive(.discontinuity(Discontinuity(kind: .gap(gap), position: position)))
        }
        if isOver { finish() }
    }

    /// Shortens found audio that began before the recording, or ended after it.
    private func pass(_ audio: FoundAudio) {
        var found = audio
        if let early, early.frame == found.before {
            let end = found.continuesBefore ? found.length : found.isContinuedAfter ? early.gap : nil
            guard let end, let rest = found.dropping(early.lead - (end - found.length)) else { return }
            found = rest
        }
        if let late, late.frame == found.before {
            guard found.continuesBefore, let rest = found.prefix(late.length) else { return }
            found = rest
        }
        keeper.receive(.found(found))
    }

    private func finish() {
        state = .closed
        onClosed?()
    }

    /// Passes the frames that aired before the end. Air time that has not settled is used as well, because the
    /// recording of a station must end even if no connection lasts until air time settles. At worst, unsettled air time
    /// is too late: then every frame that passes aired before the end, and every frame that does not pass arrived after
    /// the end.
    private func pass(_ chunk: Chunk) {
        guard state == .open else { return }
        if let onAudio = onAudio.take() { onAudio() }
        let last = chunk.position.frames + Int64(chunk.frames.count)
        passed = (passed?.lowerBound ?? chunk.position.frames)..<last
        guard let end, let airTime else { return keeper.receive(.chunk(chunk)) }
        let frames = chunk.frames(airedBefore: end, by: airTime)
        if frames > 0 { keeper.receive(.chunk(chunk.subchunk(0..<frames))) }
        if frames < chunk.frames.count { finish() }
    }
}

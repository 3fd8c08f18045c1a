// SPDX-License-Identifier: MIT

import EventLoop
import Instants
import RadioCore

/// After a silence, determines whether the following audio was only delayed, or whether audio is missing because the
/// station did not buffer it.
///
/// Delayed audio arrives all at once, so its newest frame is no older than usual. Frames that arrive at real-time pace
/// from the start are permanently late, by the length of what is missing. To put the gap in the right place, the frames
/// wait until their pace is known. It is known once a delivery is on time at least a second after the least delayed
/// delivery, and no delivery in the next 200 ms is even less delayed. The pace may stay unknown for seconds, because
/// the connection is silent again or still brings delayed audio. The owner of this object asks for the ``verdict(_:)``
/// at the ``deadline``, and releases the frames, or forgets them because another connection has the missing audio.
final class Resumption {
    /// The longest silence that is not examined; nil while unknown.
    var usualSilence: Duration?

    private let inlet: HubInlet
    private let filter: ForeignFilter
    private let reactor: any Reactor
    /// When frames last arrived.
    private var lastArrival: MonotonicInstant?
    private var look: SilenceLook?
    private var held = StreamParts()
    /// The count of waiting frames at the last ``takeNewFrames()``.
    private var framesReported = 0

    /// A shorter silence is normal on a network.
    private static let shortestSilence = Duration.seconds(2)
    /// The longest time that frames wait for a verdict, unless ``usualSilence`` is longer.
    private static let patience = Duration.seconds(4)
    private static let mostHeld = 1 << 20

    init(inlet: HubInlet, filter: ForeignFilter, reactor: any Reactor) {
        (self.inlet, self.filter, self.reactor) = (inlet, filter, reactor)
    }

    /// Whether it is still unknown if audio is missing before the newest frames.
    var isExamining: Bool { look != nil }

    /// The fingerprints of the waiting frames.
    var heldMarks: [FrameMark] { held.marks }

    /// The playing time of the waiting frames.
    var duration: Duration { held.duration }

    /// Whether more frames wait than at the last call.
    func takeNewFrames() -> Bool {
        defer { framesReported = held.frames }
        return held.frames > framesReported
    }

    /// Call after all frames of a delivery.
    func arrived(_ now: MonotonicInstant) {
        lastArrival = now
        guard held.frames > 0 else { return }
        look?.arrived(held, now, patience: max(Self.patience, usualSilence ?? .zero))
    }

    /// Releases the waiting frames: the next frame comes on another connection, or the station has ended. They are at
    /// real-time pace if they were for long enough, although that could not be confirmed.
    func release() {
        pass(missing: look?.missingIfOver)
        lastArrival = nil
    }

    /// Drops the waiting frames, because another connection will send them again.
    func forget() {
        (held, framesReported, look, lastArrival) = (StreamParts(), 0, nil, nil)
    }

    /// Holds and examines the next frames, the first of which was due at `due`.
    func examine(due: MonotonicInstant) {
        look = SilenceLook(due: due)
    }

    /// The time at which a verdict may become possible although nothing has arrived.
    var deadline: MonotonicInstant? { look?.wakeUp }

    /// The verdict on the waiting frames; nil if there is none yet.
    func verdict(_ now: MonotonicInstant) -> SilenceLook.Verdict? { look?.verdict(now) }

    /// Releases the waiting frames after the verdict on them, behind a gap if audio is missing.
    func release(after verdict: SilenceLook.Verdict) {
        pass(missing: verdict.missing)
        // These frames counted as new when they arrived.
        _ = inlet.takeNewFrames()
    }

    /// Releases the waiting frames. A gap of length `missing` goes where the stream itself marks missing audio, or else
    /// before the first frame.
    private func pass(missing: Duration? = nil) {
        guard look != nil else { return }
        look = nil
        // Swapped out first: the taker may call back into the station, and so into this object.
        var parts = StreamParts()
        swap(&parts, &held)
        framesReported = 0
        if let missing, !parts.hasMissing { filter.miss(missing) }
        parts.forEach {
            switch $0 {
            case .part(.missing(samples: nil)) where missing != nil: filter.miss(missing ?? .zero)
            case .part(let part): filter.take(part)
            case .frames(let batch, let bytes): filter.take(batch, bytes)
            }
        }
    }
}

extension Resumption: StreamPartTaker {
    func take(_ part: StreamPart) {
        lookIntoSilence()
        if look == nil { filter.take(part) } else { held.append(part) }
    }

    func take(_ batch: FrameBatch, _ bytes: UnsafeRawBufferPointer) {
        lookIntoSilence()
        guard look != nil else { return filter.take(batch, bytes) }
        held.append(batch, bytes)
        guard held.size > Self.mostHeld else { return }
        // The silence has been examined. The rest of this delivery must not count as the end of another silence.
        lastArrival = reactor.now
        pass()
    }

    /// Starts holding frames if the next frame ends a silence.
    private func lookIntoSilence() {
        guard look == nil, let usualSilence, let lastArrival else { return }
        guard reactor.now - lastArrival >= max(usualSilence, Self.shortestSilence), let due = inlet.due else { return }
        examine(due: due + filter.duration)
    }
}

// SPDX-License-Identifier: MIT

import EventLoop
import Instants
import RadioCore

/// After a silence, determines whether the following audio was only delayed, or whether audio is missing because the
/// station did not buffer it. Confined to the loop's thread.
///
/// Delayed audio arrives all at once, so its newest frame is no older than usual. Frames that arrive at real-time pace
/// from the start are permanently late, by the length of what is missing. To put the gap in the right place, the frames
/// wait until their pace is known, which takes a second at real-time pace. Until then, another connection may bring what
/// is missing instead.
final class Resumption {
    /// Called when audio turns out to be missing. If another connection has it, the receiver calls ``forget()`` and
    /// returns true.
    var onHole: (() -> Bool)?
    /// Called when waiting frames were released without a new delivery.
    var onRelease: (() -> Void)?
    /// The longest silence that is not examined; nil while unknown.
    var usualSilence: Duration?

    private let feed: ProgrammeFeed
    private let filter: ForeignFilter
    private let reactor: any Reactor
    /// When frames last arrived.
    private var lastArrival: MonotonicInstant?
    private var look: Look?
    private var held = StreamParts()
    /// The count of waiting frames at the last ``takeNews()``.
    private var newsTold = 0
    private lazy var timer = reactor.makeTimer { [unowned self] in timerFired() }

    private struct Look {
        /// When the first frame after the silence was due.
        var due: MonotonicInstant
        var began: MonotonicInstant
        var clock = EdgeClock()
        /// When the timer is due.
        var wakeUp: MonotonicInstant?
    }

    /// A shorter silence is normal on a network.
    private static let shortestSilence = Duration.seconds(2)
    /// Once no frame has been less delayed for this long, all delayed audio has arrived.
    private static let calm = Duration.seconds(1)
    /// The longest that frames wait, even if audio still arrives faster than it plays.
    private static let patience = Duration.seconds(4)
    /// A timer that is later than this shows that the process stood still.
    private static let punctual = Duration.milliseconds(200)
    private static let mostHeld = 1 << 20
    /// A shorter delay does not count as missing audio.
    private static let leastGap = Duration.milliseconds(500)

    init(feed: ProgrammeFeed, filter: ForeignFilter, reactor: any Reactor) {
        (self.feed, self.filter, self.reactor) = (feed, filter, reactor)
    }

    /// Whether it is not known yet if audio is missing before the newest frames.
    var isExamining: Bool { look != nil }

    /// The marks of the waiting frames.
    var heldMarks: [FrameMark] { held.marks }

    /// The playing time of the waiting frames.
    var duration: Duration { held.duration }

    /// Whether more frames wait than at the last call.
    func takeNews() -> Bool {
        defer { newsTold = held.frames }
        return held.frames > newsTold
    }

    /// Call after all frames of a delivery.
    func arrived(_ now: MonotonicInstant) {
        lastArrival = now
        guard look != nil, held.frames > 0 else { return }
        look?.clock.arrived(from: .zero, upTo: held.duration, now: now)
        _ = judge(now)
    }

    /// Releases the waiting frames: the next frame comes on another connection, or the station has ended.
    func release() {
        pass()
        lastArrival = nil
    }

    /// Drops the waiting frames, which another connection will send again.
    func forget() {
        (held, newsTold, look, lastArrival) = (StreamParts(), 0, nil, nil)
        timer.cancel()
    }

    /// Holds and examines the next frames, the first of which was due at `due`.
    func examine(due: MonotonicInstant) {
        look = Look(due: due, began: reactor.now)
    }

    /// Returns whether the waiting frames have been released.
    private func judge(_ now: MonotonicInstant) -> Bool {
        guard let look, let origin = look.clock.origin, let paced = look.clock.pacedSince else { return false }
        if now - paced >= Self.calm {
            let late = origin - look.due
            guard late >= Self.leastGap else { return pass() }
            return onHole?() == true ? false : pass(missing: late)
        } else if now - look.began >= Self.patience {
            return pass()
        }
        wake(at: min(paced + Self.calm, look.began + Self.patience))
        return false
    }

    private func wake(at instant: MonotonicInstant) {
        look?.wakeUp = instant
        timer.arm(at: instant)
    }

    private func timerFired() {
        let now = reactor.now
        // After a standstill of the process, the audio that came meanwhile has not been read yet.
        let isLate = look?.wakeUp.map { now - $0 > Self.punctual } ?? false
        if isLate, let look, now - look.began < Self.patience {
            return wake(at: min(now + Self.calm, look.began + Self.patience))
        }
        // The frames were news when they arrived.
        if isLate ? pass() : judge(now) { _ = feed.takeNews() }
        if look == nil { onRelease?() }
    }

    /// Releases the waiting frames. A gap of length `missing` goes where the stream states one, or else before the first
    /// frame. Returns false if nothing was being examined.
    @discardableResult
    private func pass(missing: Duration? = nil) -> Bool {
        guard look != nil else { return false }
        look = nil
        timer.cancel()
        // Swapped out first: the taker may call back into the station, and so into this object.
        var parts = StreamParts()
        swap(&parts, &held)
        newsTold = 0
        if let missing, !parts.hasMissing { filter.miss(missing) }
        parts.forEach { part, bytes in
            if case .missing(samples: nil) = part, let missing { return filter.miss(missing) }
            filter.take(part, bytes)
        }
        return true
    }
}

extension Resumption: StreamPartTaker {
    func take(_ part: StreamPart, _ bytes: UnsafeRawBufferPointer) {
        lookIntoSilence()
        guard look != nil else { return filter.take(part, bytes) }
        held.append(part, bytes)
        guard held.size > Self.mostHeld else { return }
        // The silence has been examined: the rest of this delivery does not end another one.
        lastArrival = reactor.now
        pass()
    }

    func take(_ batch: FrameBatch, _ bytes: UnsafeRawBufferPointer) {
        lookIntoSilence()
        guard look != nil else { return filter.take(batch, bytes) }
        batch.forEach(in: bytes) { take(.frame($0), $1) }
    }

    /// Starts holding frames if the next one ends a silence.
    private func lookIntoSilence() {
        guard look == nil, let usualSilence, let lastArrival else { return }
        guard reactor.now - lastArrival >= max(usualSilence, Self.shortestSilence), let due = feed.due else { return }
        examine(due: due + filter.duration)
    }
}

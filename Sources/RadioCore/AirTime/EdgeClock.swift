// SPDX-License-Identifier: MIT

package import Instants

/// When frames were at the station's edge, on the clock that never steps: a pure value, fed with one arrival per
/// delivery.
///
/// A frame that comes with a burst is older than its arrival says. No frame can arrive before it was on air, so the
/// least-delayed arrivals tell the truth: the origin is the least of (arrival − media time). Once the burst is over the
/// fit follows the station's clock through a window of one to two minutes.
///
/// A connection that goes on from another one (``reconnected()``) may lead to a server that is half a minute behind.
/// Its frames are the same, and so is the time at which they were on air: what such an edge is late by is found when
/// the new burst is over, and left out of account. An edge that is earlier than all before it is believed.
package struct EdgeClock: Sendable {
    package private(set) var sampleRate: Int
    /// How much audio came at once when the first connection began, beyond the time that passed; known when settled.
    package private(set) var burst: Duration?
    /// The first burst is over.
    package private(set) var isSettled = false
    /// What the station's clock does beside ours.
    package private(set) var meter = DriftMeter()

    /// The connection that delivers now.
    private var watch = BurstWatch()
    /// The window that frames arrive in, and the least of the one before.
    private var window: Window?
    private var leastBefore: Int64?
    /// (Arrival − media time) of the first frame's start: what an unburst connection would keep.
    private var firstOrigin: Int64?
    /// By how much the connection's edge is behind the earliest one.
    private var lag: Int64 = 0
    /// The connection goes on from another one, and its own burst is not over.
    private var isJoining = false

    private struct Window: Sendable {
        var began: MonotonicInstant
        var least = Int64.max
        var leastAt: MonotonicInstant
    }

    private static let windowLength = Duration.seconds(60)
    /// An edge that is behind by less is taken for the same one.
    private static let leastLag = Duration.milliseconds(250).wholeNanoseconds

    /// For a new connection, or a new format: nothing is known yet.
    package init(sampleRate: Int) {
        self.sampleRate = sampleRate
    }

    /// When sample 0 was at the edge, as far as the arrivals tell.
    package var origin: MonotonicInstant? {
        window.map { MonotonicInstant(nanoseconds: min($0.least, leastBefore ?? .max)) }
    }

    /// When a sample was, or will be, at the edge.
    package func instant(ofSample sample: Int64) -> MonotonicInstant? {
        origin.map { $0 + .samples(sample, at: sampleRate) }
    }

    /// Since when no arrival of the connection was less delayed than all before it by more than jitter: since then the
    /// station delivers at real-time pace, or not at all. Nil before the first arrival.
    package var pacedSince: MonotonicInstant? { watch.pacedSince }

    /// How much faster the station's clock is than ours, in parts per million; nil until it is known.
    package var drift: Double? { meter.partsPerMillion }

    /// Frames of media time `start..<end` (in samples) have arrived.
    package mutating func arrived(from start: Int64, upTo end: Int64, now: MonotonicInstant) {
        let arrival = Self.sane((now - .samples(end, at: sampleRate)).nanoseconds)
        if firstOrigin == nil { firstOrigin = Self.sane((now - .samples(start, at: sampleRate)).nanoseconds) }
        watch.arrived(arrival, now)
        if isJoining {
            findLag()
            // Of a burst that may not be over only what is earlier than all before it says anything.
            guard !isJoining || arrival < origin?.nanoseconds ?? .max else { return }
        }
        if isSettled, !isJoining { roll(now) }
        take(arrival - lag, now)
        if watch.isOver, !isSettled {
            isSettled = true
            burst = .nanoseconds(max(0, (firstOrigin ?? arrival) - (watch.least ?? arrival)))
        }
    }

    /// What arrives from now on comes over another connection and goes on in the same count: it was spliced.
    package mutating func reconnected() {
        watch = BurstWatch()
        isJoining = isSettled
        lag = 0
        meter.step()
    }

    /// Goes on with what another clock knows of the station's clock; of edges that is independent.
    package mutating func adoptMeter(of other: EdgeClock) {
        meter = other.meter
        meter.step()
    }

    /// The same clock on another count: what was sample `sample` of this one is `other`, and they come at another rate.
    package func rebased(_ sample: Int64, to other: Int64, sampleRate: Int) -> EdgeClock {
        let old = Self.sane(Duration.samples(sample, at: self.sampleRate).wholeNanoseconds)
        let new = Self.sane(Duration.samples(other, at: sampleRate).wholeNanoseconds)
        let moved = { (origin: Int64) in Self.sane(origin + (old - new)) }
        var clock = self
        clock.sampleRate = sampleRate
        clock.watch.move(moved)
        if let window { clock.window?.least = moved(window.least) }
        clock.leastBefore = leastBefore.map(moved)
        clock.firstOrigin = firstOrigin.map(moved)
        clock.meter.step()
        return clock
    }

    private mutating func take(_ arrival: Int64, _ now: MonotonicInstant) {
        var window = window ?? Window(began: now, leastAt: now)
        if arrival < window.least { (window.least, window.leastAt) = (arrival, now) }
        self.window = window
    }

    /// The new connection's burst is over: is its edge the same?
    private mutating func findLag() {
        guard watch.isOver, let least = watch.least, let origin else { return }
        isJoining = false
        let late = least - origin.nanoseconds
        lag = late >= Self.leastLag ? late : 0
    }

    private mutating func roll(_ now: MonotonicInstant) {
        guard let old = window, now - old.began >= Self.windowLength else { return }
        meter.add(old.leastAt.nanoseconds, old.least)
        leastBefore = old.least
        window = Window(began: now, leastAt: now)
    }

    /// Within some seventy years of zero, so that sums and differences of two never overflow, whatever a stream claims.
    private static func sane(_ nanoseconds: Int64) -> Int64 {
        max(-(Int64.max / 4), min(nanoseconds, Int64.max / 4))
    }
}

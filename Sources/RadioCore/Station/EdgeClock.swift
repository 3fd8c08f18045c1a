// SPDX-License-Identifier: MIT

package import Instants

/// When the frames of one connection were at the station's edge, on the clock that never steps: a pure value, fed with
/// one arrival per delivery.
///
/// A frame that comes with a burst is older than its arrival says. No frame can arrive before it was on air, so the
/// least-delayed arrivals of a connection tell the truth: the origin is the least of (arrival − media time). The burst
/// counts as over (settled) once a second has passed in which no arrival was less delayed than those before it. After
/// that the fit follows the station's clock through a window of one to two minutes.
package struct EdgeClock: Sendable {
    package let sampleRate: Int
    /// How much audio came at once when the connection began, beyond the time that passed; known when settled.
    package private(set) var burst: Duration?
    package private(set) var isSettled = false
    /// Since when no arrival was less delayed than all before it by more than jitter: since then the station delivers
    /// at real-time pace, or not at all. Nil before the first arrival.
    package private(set) var pacedSince: MonotonicInstant?

    /// Least (arrival − media time) of the present and of the previous window.
    private var leastNow: Int64?
    private var leastBefore: Int64?
    private var windowBegan: MonotonicInstant?
    /// (Arrival − media time) of the first frame's start: what an unburst connection would keep.
    private var firstOrigin: Int64?

    private static let window = Duration.seconds(60)
    private static let calm = Duration.seconds(1)
    /// An arrival counts as less delayed when it is so by more than this; less is jitter.
    private static let jitter = Duration.milliseconds(40)

    /// For a new connection, or a new format: nothing is known yet.
    package init(sampleRate: Int) {
        self.sampleRate = sampleRate
    }

    /// When sample 0 was at the edge, as far as the arrivals tell.
    package var origin: MonotonicInstant? {
        [leastNow, leastBefore].compactMap(\.self).min().map { MonotonicInstant(nanoseconds: $0) }
    }

    /// When a sample was, or will be, at the edge.
    package func instant(ofSample sample: Int64) -> MonotonicInstant? {
        origin.map { $0 + .samples(sample, at: sampleRate) }
    }

    /// Frames of media time `start..<end` (in samples) have arrived.
    package mutating func arrived(from start: Int64, upTo end: Int64, now: MonotonicInstant) {
        let origin = (now - .samples(end, at: sampleRate)).nanoseconds
        if firstOrigin == nil { firstOrigin = (now - .samples(start, at: sampleRate)).nanoseconds }
        roll(now)
        if let least = leastNow {
            if origin < least {
                if least - origin > Self.jitter.wholeNanoseconds { pacedSince = now }
                leastNow = origin
            }
        } else {
            leastNow = origin
            if pacedSince == nil { pacedSince = now }
        }
        if !isSettled, let pacedSince, now - pacedSince >= Self.calm {
            isSettled = true
            burst = .nanoseconds(max(0, (firstOrigin ?? origin) - (leastNow ?? origin)))
        }
    }

    /// Counts samples from another place: what was sample `n` is `n + samples` from now on.
    package mutating func renumber(by samples: Int64) {
        let shift = Duration.samples(samples, at: sampleRate).wholeNanoseconds
        leastNow = leastNow.map { $0 - shift }
        leastBefore = leastBefore.map { $0 - shift }
        firstOrigin = firstOrigin.map { $0 - shift }
    }

    private mutating func roll(_ now: MonotonicInstant) {
        guard let began = windowBegan else {
            windowBegan = now
            return
        }
        guard isSettled, now - began >= Self.window else { return }
        leastBefore = leastNow
        leastNow = nil
        windowBegan = now
    }
}

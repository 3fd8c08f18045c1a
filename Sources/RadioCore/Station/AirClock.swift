// SPDX-License-Identifier: MIT

package import Instants

/// Fits the air time of frames to their arrivals: a pure value, fed with one arrival per delivery.
///
/// A frame that comes with a burst is older than its arrival says. No frame can arrive before it was on air, so the
/// least-delayed arrivals of a connection tell the truth: `origin` is the least of (arrival − media time). The burst
/// counts as over (settled) once a second has passed in which no arrival was less delayed than those before it; no cut
/// is decided earlier. After that the fit follows the station's clock through a window of one to two minutes.
package struct AirClock: Sendable {
    /// The fitted map, once there was an arrival.
    package private(set) var airTime: AirTime?
    /// How much audio came at once when the connection began, beyond the time that passed; known when settled.
    package private(set) var burst: Duration?

    private let sampleRate: Int
    /// Least (arrival − media time) of the present and of the previous window, on the monotonic clock.
    private var leastNow: Int64?
    private var leastBefore: Int64?
    private var windowBegan: MonotonicInstant?
    private var improvedAt: MonotonicInstant?
    /// (Arrival − media time) of the first frame's start: what an unburst connection would keep.
    private var firstOrigin: Int64?
    private var isSettled = false

    private static let window = Duration.seconds(60)
    private static let calm = Duration.seconds(1)
    /// An arrival counts as less delayed when it is so by more than this; less is jitter.
    private static let jitter = Duration.milliseconds(40)
    /// A settled map is told again only when it has moved by more than this.
    private static let worthTelling = Duration.milliseconds(5)

    /// For a new connection, or a new format: nothing is known yet.
    package init(sampleRate: Int) {
        self.sampleRate = sampleRate
    }

    /// Frames of media time `start..<end` (in samples) have arrived. True where ``airTime`` has changed.
    package mutating func arrived(
        from start: Int64, upTo end: Int64, now: MonotonicInstant, wall: WallInstant
    ) -> Bool {
        let origin = (now - .samples(end, at: sampleRate)).nanoseconds
        if firstOrigin == nil { firstOrigin = (now - .samples(start, at: sampleRate)).nanoseconds }
        roll(now)
        if let least = leastNow {
            if origin < least {
                if least - origin > Self.jitter.wholeNanoseconds { improvedAt = now }
                leastNow = origin
            }
        } else {
            leastNow = origin
            if improvedAt == nil { improvedAt = now }
        }
        if !isSettled, let improvedAt, now - improvedAt >= Self.calm {
            isSettled = true
            burst = .nanoseconds(max(0, (firstOrigin ?? origin) - (leastNow ?? origin)))
        }
        return refit(now: now, wall: wall)
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

    private mutating func refit(now: MonotonicInstant, wall: WallInstant) -> Bool {
        guard let least = [leastNow, leastBefore].compactMap({ $0 }).min() else { return false }
        let origin = wall - (now - MonotonicInstant(nanoseconds: least))
        let fitted = AirTime(origin: origin, sampleRate: sampleRate, isSettled: isSettled)
        if let old = airTime, old.isSettled == fitted.isSettled {
            let moved = old.origin.duration(to: origin).wholeNanoseconds.magnitude
            guard moved > Self.worthTelling.wholeNanoseconds.magnitude else { return false }
        }
        airTime = fitted
        return true
    }
}

// SPDX-License-Identifier: MIT

package import Instants

/// When a station's programme was on air: a map from programme time (how long all audio delivered so far plays) to the
/// clock that never steps, and from there to the wall clock. A pure value.
///
/// It is fed with the arrivals of whichever connection delivers, and follows the station's clock through a window of
/// one to two minutes. A connection that goes on from another one (``reconnected()``) may lead to a server that is half
/// a minute behind. Its frames are the same, and so is the time at which they were on air: the lag of such an edge is
/// found when the new burst is over, and subtracted. An edge that is earlier than all before it is believed.
///
/// No cut may be decided before the map has settled.
package struct AirClock: Sendable {
    /// The first burst is over.
    package private(set) var isSettled = false

    /// The window that frames arrive in, and the least origin of the one before.
    private var window: Window?
    private var leastBefore: MonotonicInstant?
    /// By how much the present connection's edge is behind the earliest one.
    private var lag = Duration.zero
    /// The connection goes on from another one, and its own burst is not over.
    private var isJoining = false
    /// The drift of the station's clock against ours.
    private var meter = DriftMeter()

    private struct Window: Sendable {
        var began: MonotonicInstant
        var least = MonotonicInstant(nanoseconds: .max)
        var leastAt: MonotonicInstant
    }

    private static let windowLength = Duration.seconds(60)
    /// An edge that is behind by less is taken for the same one.
    private static let leastLag = Duration.milliseconds(250)
    /// A settled map is told again only when it has moved by more than this, or its drift is known better.
    private static let worthTelling = Duration.milliseconds(5)

    /// For a new station: nothing is known yet.
    package init() {}

    /// When programme time zero was at the edge, as far as the arrivals tell.
    package var origin: MonotonicInstant? { window.map { min($0.least, leastBefore ?? $0.least) } }

    /// When a programme time was, or will be, at the edge.
    package func instant(of time: Duration) -> MonotonicInstant? { origin.map { $0 + time } }

    /// When the least delayed frame of a programme time arrives on the present connection, whose edge may be behind the
    /// station's; nil while that is not known.
    package func arrival(of time: Duration) -> MonotonicInstant? {
        isSettled && !isJoining ? instant(of: time).map { $0 + lag } : nil
    }

    /// How much faster the station's clock is than ours, in parts per million; nil until it is known.
    package var drift: Double? { meter.partsPerMillion }
}

// MARK: - Arrivals

extension AirClock {
    /// The programme up to `time` has arrived, which is the media time `media` of the connection whose clock is `edge`.
    package mutating func arrived(
        upTo time: Duration, _ edge: EdgeClock, at media: Duration, now: MonotonicInstant
    ) {
        // The connection's clock may know better: a relay says so when it held the audio for a while.
        let known = isSettled ? now : min(now, edge.instant(of: media) ?? now)
        let arrival = known - time
        if isJoining {
            findLag(edge, offset: media - time)
            // While a burst may not be over, only an arrival that is earlier than all before it says anything.
            guard !isJoining || arrival < origin ?? arrival else { return }
        }
        if isSettled, !isJoining { roll(now) }
        take(arrival - lag, now)
        if edge.isSettled { isSettled = true }
    }

    /// From now on frames arrive over another connection, which was spliced to the one before.
    package mutating func reconnected() {
        isJoining = isSettled
        lag = .zero
        meter.step()
    }

    /// The next frames were at the edge later than the map says, by the length of audio that the station left out.
    package mutating func skip(_ missing: Duration) {
        if let window { self.window?.least = window.least + missing }
        leastBefore = leastBefore.map { $0 + missing }
        meter.step()
    }

    /// Starts another map at programme time `time`, which was at the edge at `instant`: audio after a gap has a time of
    /// its own. The new map is as settled as the connection's clock.
    package mutating func restart(at time: Duration, from instant: MonotonicInstant, isSettled: Bool) {
        let now = instant - time
        (window, leastBefore) = (Window(began: instant, least: now, leastAt: instant), nil)
        (lag, isJoining) = (.zero, false)
        self.isSettled = isSettled
        meter.step()
    }

    private mutating func take(_ arrival: MonotonicInstant, _ now: MonotonicInstant) {
        var window = window ?? Window(began: now, leastAt: now)
        if arrival < window.least { (window.least, window.leastAt) = (arrival, now) }
        self.window = window
    }

    /// The new connection's burst is over: is its edge the same?
    private mutating func findLag(_ edge: EdgeClock, offset: Duration) {
        guard edge.isSettled, let first = edge.arrivalOrigin, let origin else { return }
        isJoining = false
        let late = first + offset - origin
        lag = late >= Self.leastLag ? late : .zero
    }

    private mutating func roll(_ now: MonotonicInstant) {
        guard let old = window, now - old.began >= Self.windowLength else { return }
        meter.add(old.leastAt.nanoseconds, old.least.nanoseconds)
        leastBefore = old.least
        window = Window(began: now, leastAt: now)
    }
}

// MARK: - The wall clock

extension AirClock {
    /// The map for a format whose sample 0 stands at programme time `start`; nil where nothing is known yet, or nothing
    /// that is worth telling after what was `told` last.
    package func airTime(
        since start: Duration, sampleRate: Int, after told: AirTime?, now: MonotonicInstant, wall: WallInstant
    ) -> AirTime? {
        guard let zero = instant(of: start) else { return nil }
        let fitted = AirTime(origin: wall - (now - zero), sampleRate: sampleRate, isSettled: isSettled, drift: drift)
        if let told, told.isSettled == fitted.isSettled, told.drift == fitted.drift {
            let moved = told.origin.duration(to: fitted.origin).wholeNanoseconds.magnitude
            guard moved > Self.worthTelling.wholeNanoseconds.magnitude else { return nil }
        }
        return fitted
    }
}

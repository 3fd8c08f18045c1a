// SPDX-License-Identifier: MIT

package import Instants

/// Tells when a station's programme was on air: maps programme time (the playing time of all audio delivered so far) to
/// the monotonic clock, and from there to the wall clock. A pure value.
///
/// It is fed with the arrivals of whichever connection delivers, and follows the station's clock through a window of
/// one to two minutes. A connection that continues another (``reconnected()``) may lead to a server that is half a
/// minute behind. Its frames are the same, and so is the time at which they were on air: the lag of such an edge is
/// measured when the new burst is over, and subtracted. An edge that is earlier than all before it is believed.
///
/// No cut may be decided before the map has settled.
package struct AirClock: Sendable {
    /// Whether the first burst is over.
    package private(set) var isSettled = false

    /// The current window of arrivals, and the least origin of the previous window.
    private var window: Window?
    private var leastBefore: MonotonicInstant?
    /// How far the current connection's edge is behind the earliest edge.
    private var lag = Duration.zero
    /// Whether the connection continues another one, and its own burst is not over.
    private var isJoining = false
    /// The drift of the station's clock against ours.
    private var meter = DriftMeter()

    private struct Window: Sendable {
        var began: MonotonicInstant
        var least = MonotonicInstant(nanoseconds: .max)
        var leastAt: MonotonicInstant
    }

    private static let windowLength = Duration.seconds(60)
    /// An edge that is behind by less counts as the same edge.
    private static let leastLag = Duration.milliseconds(250)
    /// A settled map is reported again only if it has moved by more than this, or its drift has changed.
    private static let worthTelling = Duration.milliseconds(5)

    /// Creates the clock of a new station, which knows nothing yet.
    package init() {}

    /// When programme time zero was at the edge, as far as the arrivals tell.
    package var origin: MonotonicInstant? { window.map { min($0.least, leastBefore ?? $0.least) } }

    /// When a programme time was, or will be, at the edge.
    package func instant(of time: Duration) -> MonotonicInstant? { origin.map { $0 + time } }

    /// When the least delayed frame of a programme time arrives on the current connection, whose edge may be behind the
    /// station's; nil while unknown.
    package func arrival(of time: Duration) -> MonotonicInstant? {
        isSettled && !isJoining ? instant(of: time).map { $0 + lag } : nil
    }

    /// How much faster the station's clock is than ours, in parts per million; nil until it is known.
    package var drift: Double? { meter.partsPerMillion }
}

// MARK: - Arrivals

extension AirClock {
    /// Notes that the programme has arrived up to `time`, which is media time `media` of the connection whose clock is
    /// `edge`.
    package mutating func arrived(
        upTo time: Duration, _ edge: EdgeClock, at media: Duration, now: MonotonicInstant
    ) {
        // The connection's clock may know better: a relay states how long it held the audio.
        let known = isSettled ? now : min(now, edge.instant(of: media) ?? now)
        let arrival = known - time
        if isJoining {
            findLag(edge, offset: media - time)
            // While the burst may go on, only an arrival earlier than all before it means anything.
            guard !isJoining || arrival < origin ?? arrival else { return }
        }
        if isSettled, !isJoining { roll(now) }
        take(arrival - lag, now)
        if edge.isSettled { isSettled = true }
    }

    /// Notes that frames now arrive over another connection, which was spliced to the previous one.
    package mutating func reconnected() {
        isJoining = isSettled
        lag = .zero
        meter.step()
    }

    /// Notes that the station left out audio: the next frames were at the edge later than the map says, by `missing`.
    package mutating func skip(_ missing: Duration) {
        if let window { self.window?.least = window.least + missing }
        leastBefore = leastBefore.map { $0 + missing }
        meter.step()
    }

    /// Starts another map, as audio after a gap has a time of its own: programme time `time` was at the edge at
    /// `instant`. The new map is as settled as the connection's clock.
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

    /// Measures the lag of the new connection's edge once its burst is over.
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
    /// The map for a format whose sample 0 is at programme time `start`; nil if nothing is known yet, or if the map
    /// hardly differs from the one last `told`.
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

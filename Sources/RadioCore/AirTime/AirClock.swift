// SPDX-License-Identifier: MIT

package import Instants

/// Maps programme time (the playing time of all audio delivered so far) to the monotonic clock, and from there to the
/// wall clock: when the station's programme was on air. A pure value.
///
/// Takes the arrivals of whichever connection delivers, and follows the station's clock through a window of one to two
/// minutes. After a splice (``reconnected()``), the new connection's server may be half a minute behind the old one.
/// The same frames have the same air time on both servers, so the lag of the new edge is measured when the new burst is
/// over, and subtracted. The burst may follow an advert, so only arrivals since the splice count. If an edge is earlier
/// than all edges before it, the map moves back to that edge.
///
/// No cut may be decided before the map has settled (``isSettled``).
package struct AirClock: Sendable {
    /// Whether the first burst is over.
    package private(set) var isSettled = false

    /// The current window of arrivals, and the least origin of the previous window.
    private var window: Window?
    private var leastBefore: MonotonicInstant?
    /// How far the current connection's edge is behind the earliest edge. Until `lagUntil`, an earlier arrival shows a
    /// smaller lag, because the map is older than the connection.
    private var lag = Duration.zero
    private var lagUntil: MonotonicInstant?
    /// Whether the lag of the current connection is known.
    private var isMeasured = true
    /// The current edge, and how far each edge was behind when it was last measured.
    package private(set) var edge = ""
    private var lags: [String: Duration?] = [:]
    /// The lag that counts until the lag of the current connection is measured; nil if none does.
    private var oldLag: Duration?
    /// How much audio is missing among the frames of the present connection. The connection's own clock does not
    /// count it.
    private var skipped = Duration.zero
    /// The programme time at which the frames of the connection begin.
    private var joinedAt = Duration.zero
    /// How much audio is known to be missing so far.
    package var missing = Duration.zero
    /// The arrivals since the connection was spliced to another one, in programme time; nil once the burst is over.
    private var joining: EdgeClock?
    /// Measures the drift between the station's clock and this machine's.
    private var meter = DriftMeter()

    private struct Window: Sendable {
        var began: MonotonicInstant
        var least = MonotonicInstant(nanoseconds: .max)
        var leastAt: MonotonicInstant
    }

    private static let mostEdges = 32
    private static let windowLength = Duration.seconds(60)
    /// An edge whose lag changes by less than this is the same.
    private static let sameLag = Duration.milliseconds(250)
    /// A settled map is reported again only if it has moved by more than this, or its drift has changed.
    private static let worthTelling = Duration.milliseconds(5)

    /// Creates the clock of a new station, without any arrivals.
    package init() {}

    /// The monotonic time at which programme time zero was the live edge, as the arrivals so far tell. Nil before the
    /// first one.
    package var origin: MonotonicInstant? { window.map { min($0.least, leastBefore ?? $0.least) } }

    /// The time at which the audio of a programme time was, or will be, at the edge; nil before the first arrival.
    package func instant(of time: Duration) -> MonotonicInstant? { origin.map { $0 + time } }

    /// The earliest time at which the audio of a programme time arrives on the current connection, whose edge may be
    /// behind the station's. While its lag is unknown, the connection's own clock tells that, by its media time.
    package func arrival(of time: Duration, _ edge: EdgeClock, at media: Duration) -> MonotonicInstant? {
        if let lag = isMeasured ? lag : oldLag, let instant = instant(of: time) { return instant + lag }
        return edge.arrivalOrigin.map { $0 + media + skipped }
    }

    /// How far an edge is behind the station's; nil if it was never measured, or differently each time.
    package func lag(of edge: String) -> Duration? {
        edge == self.edge && isMeasured ? lag : lags[edge] ?? nil
    }

    /// How much audio is missing since the clock was `old`, beside that which is known to be; less than zero if the old
    /// clock has seen only late frames. Nil if no edge was measured by both.
    package func missing(since old: AirClock) -> Duration? {
        guard let origin, let before = old.origin else { return nil }
        let passed = ([edge] + lags.keys.sorted()).lazy.compactMap { edge in
            lag(of: edge).flatMap { now in old.lag(of: edge).map { origin + now - (before + $0) } }
        }
        return passed.first.map { $0 - (missing - old.missing) }
    }

    /// How much faster the station's clock is than this machine's, in parts per million; nil until it is known.
    package var drift: Double? { meter.partsPerMillion }
}

// MARK: - Arrivals

extension AirClock {
    /// Fits the map to the programme's arrival up to `time`, which is media time `media` of the connection whose clock
    /// is `edge`.
    package mutating func arrived(
        upTo time: Duration, _ edge: EdgeClock, at media: Duration, now: MonotonicInstant
    ) {
        // The connection's clock may give an earlier instant: a relay states how long it held the audio.
        let known = isSettled ? now : min(now, edge.instant(of: media).map { $0 + skipped } ?? now)
        let arrival = known - time
        if joining != nil {
            joining?.arrived(upTo: time, now: now)
            if let joined = joining, joined.isSettled, let first = joined.arrivalOrigin, let origin {
                (joining, lag, lagUntil) = (nil, max(.zero, first - origin), now + Self.windowLength)
            }
            // Until the burst is known to be over, an arrival counts only if it is less delayed than all arrivals
            // before it.
            guard joining == nil || arrival < origin ?? arrival else { return }
        }
        if isSettled, joining == nil { roll(now) }
        if let origin, joining != nil || lagUntil.map({ now < $0 }) ?? false {
            lag = min(lag, max(.zero, arrival - origin))
            // An edge that is ahead of all others moves the map, and they are late by more.
            let ahead = max(.zero, origin - arrival)
            lags = lags.mapValues { $0.map { $0 + ahead } }
        }
        take(arrival - lag, now)
        if edge.isSettled { isSettled = true }
        if isSettled, joining == nil { isMeasured = true }
    }

    /// From the next call on, frames come from this edge.
    package mutating func follow(_ edge: String) {
        if isSettled, isMeasured { note(lag) }
        if lags.count > Self.mostEdges { lags = [:] }
        (self.edge, skipped) = (edge, .zero)
    }

    /// Begins to measure lag and drift anew. The frames from programme time `time` on arrive over another connection,
    /// which was spliced to the previous one. `usesOldLag`: whether the lag of an earlier connection to the edge counts
    /// until the new one is known.
    package mutating func reconnected(at time: Duration, usesOldLag: Bool = false) {
        joinedAt = time
        oldLag = usesOldLag ? lags[edge] ?? nil : nil
        joining = window == nil ? nil : EdgeClock()
        (lag, lagUntil, isMeasured) = (.zero, nil, false)
        meter.step()
    }

    private mutating func note(_ lag: Duration) {
        guard let old = lags[edge] else { return lags[edge] = .some(lag) }
        let isSame = old.map { (lag - $0).magnitude < Self.sameLag } ?? false
        lags[edge] = .some(isSame ? lag : nil)
    }

    /// Measures the lag anew unless it is known, because the frames measured so far were behind a hole.
    package mutating func measureAgain() {
        if joining != nil { joining = EdgeClock() }
        lagUntil = nil
    }

    /// Moves the map by audio that the station left out before programme time `time`: the frames that follow were at
    /// the edge `missing` later.
    package mutating func skip(_ missing: Duration, before time: Duration) {
        if let window { self.window?.least = window.least + missing }
        leastBefore = leastBefore.map { $0 + missing }
        if time >= joinedAt { skipped = skipped + missing }
        self.missing = self.missing + missing
        meter.step()
    }

    /// Starts a new map after a gap: programme time `time` was at the edge at `instant`. `isSettled`: whether the
    /// connection's clock has settled. The lags of all edges are forgotten if that of the present one is not known.
    package mutating func restart(at time: Duration, from instant: MonotonicInstant, isSettled: Bool) {
        let known = lags[edge] ?? nil
        if known == nil { lags = [:] }
        (lag, lagUntil, joining, isMeasured) = (known ?? .zero, nil, nil, true)
        let now = instant - lag - time
        (window, leastBefore) = (Window(began: instant, least: now, leastAt: instant), nil)
        self.isSettled = isSettled
        meter.step()
    }

    /// Moves the map back if the audio up to programme time `time` has arrived earlier than it says.
    package mutating func reach(_ time: Duration, _ now: MonotonicInstant) { take(now - time - lag, now) }

    private mutating func take(_ arrival: MonotonicInstant, _ now: MonotonicInstant) {
        var window = window ?? Window(began: now, leastAt: now)
        if arrival < window.least { (window.least, window.leastAt) = (arrival, now) }
        self.window = window
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
    /// The map for a format whose sample 0 is at programme time `start`; nil before the first arrival, or if the map
    /// hardly differs from `told`, the map last reported. `isDoubtful`: whether audio may be missing before the newest
    /// frames.
    package func airTime(
        since start: Duration, sampleRate: Int, isDoubtful: Bool = false, after told: AirTime?, now: MonotonicInstant,
        wall: WallInstant
    ) -> AirTime? {
        guard let zero = instant(of: start) else { return nil }
        let fitted = AirTime(
            origin: wall - (now - zero), sampleRate: sampleRate, isSettled: isSettled && !isDoubtful, drift: drift)
        if let told, told.isSettled == fitted.isSettled, told.drift == fitted.drift {
            guard told.origin.duration(to: fitted.origin).magnitude > Self.worthTelling else { return nil }
        }
        return fitted
    }
}

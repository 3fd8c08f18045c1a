// SPDX-License-Identifier: MIT

package import Instants

/// When the frames of one connection were at its server's edge: a pure value, fed with one arrival for each delivery
/// until it has settled, and for as long after that as its owner wants to know how the server delivers.
///
/// Media time counts from the connection's first frame. A frame that comes with a burst is older than its arrival says,
/// and no frame can arrive before it was on air, so the least-delayed arrivals tell the truth: the origin is the least
/// of (arrival − media time). It is right once the burst is over.
package struct EdgeClock: Sendable {
    /// When media time zero was at the edge, as far as the arrivals or the server tell. Until the burst is over it may
    /// turn out to be earlier, but never later.
    package var origin: MonotonicInstant? { arrivalOrigin.map { min($0, told ?? $0) } }
    /// The origin as far as the arrivals alone tell: the least of (arrival − media time).
    package private(set) var arrivalOrigin: MonotonicInstant?
    /// Since when no arrival was less delayed than all before it by more than jitter: the burst is over, or nothing
    /// comes. Nil before the first arrival.
    package private(set) var pacedSince: MonotonicInstant?
    /// Since when audio has come no faster than a quarter above real time. A server whose clock runs fast, or which
    /// catches up slowly, keeps no other pace.
    package private(set) var livePaceSince: MonotonicInstant?
    /// Whether the burst is over: a second has passed since ``pacedSince``, and frames now come on time, so that the
    /// loop or the network holds up no more of them. Where all stay late, it takes three seconds.
    package private(set) var isSettled = false
    /// How much audio came at once at the beginning, beyond the time that passed; known when settled.
    package private(set) var burst: Duration?
    /// When the clock was last told of a delivery.
    package private(set) var lastArrival: MonotonicInstant?

    /// When media time zero was at the edge, as the server says.
    private var told: MonotonicInstant?
    /// The origin that the first arrival alone gives: that of a connection without a burst.
    private var firstOrigin: MonotonicInstant?
    /// The origin at ``pacedSince`` and at ``livePaceSince``: an origin that creeps is no calm.
    private var pacedOrigin = MonotonicInstant(nanoseconds: .max)
    private var livePaceOrigin = MonotonicInstant(nanoseconds: .max)

    private static let calm = Duration.seconds(1)
    private static let longestCalm = Duration.seconds(3)
    private static let jitter = Duration.milliseconds(40)
    private static let onTime = Duration.milliseconds(200)

    /// For a new connection: nothing is known yet.
    package init() {}

    /// When a frame that starts at a media time was, or will be, at the edge.
    package func instant(of media: Duration) -> MonotonicInstant? { origin.map { $0 + media } }

    /// The server says that media time zero was at its edge at this instant. How the connection delivers is judged by
    /// its arrivals all the same.
    package mutating func began(at instant: MonotonicInstant) { told = instant }

    /// Frames of media time `start..<end` have arrived.
    package mutating func arrived(from start: Duration, upTo end: Duration, now: MonotonicInstant) {
        lastArrival = now
        if firstOrigin == nil { firstOrigin = now - start }
        let arrival = now - end
        let least = min(arrival, arrivalOrigin ?? arrival)
        arrivalOrigin = least
        if pacedSince == nil || least < pacedOrigin - Self.jitter { (pacedSince, pacedOrigin) = (now, least) }
        let gain = livePaceSince.map { Self.jitter + (now - $0) / 4 } ?? .zero
        if livePaceSince == nil || least < livePaceOrigin - gain { (livePaceSince, livePaceOrigin) = (now, least) }
        guard !isSettled, let pacedSince else { return }
        isSettled = now - pacedSince >= (arrival <= least + Self.onTime ? Self.calm : Self.longestCalm)
        if isSettled { burst = max(.zero, (firstOrigin ?? least) - least) }
    }
}

// SPDX-License-Identifier: MIT

package import Instants

/// Computes when the frames of one connection were at its server's edge. A pure value. Takes one arrival per delivery
/// until it has settled, and after that for as long as its owner needs to know how the server delivers.
///
/// Media time counts from the connection's first frame. A frame in a burst is older than its arrival suggests, and no
/// frame can arrive before it was on air. Therefore the least-delayed arrivals count: the origin is the least of
/// (arrival − media time). It is reliable once the burst is over.
package struct EdgeClock: Sendable {
    /// The time at which media time zero was at the edge, according to the arrivals or the server. Until the burst is
    /// over, it may still become earlier, but never later.
    package var origin: MonotonicInstant? { arrivalOrigin.map { min($0, told ?? $0) } }
    /// The origin according to the arrivals alone: the least of (arrival − media time).
    package private(set) var arrivalOrigin: MonotonicInstant?
    /// The time of the last arrival that was less delayed than all before it by more than jitter. Since then, either
    /// the burst has been over or nothing has arrived. Nil before the first arrival.
    package private(set) var pacedSince: MonotonicInstant?
    /// The time since which audio has arrived at most a quarter faster than real time. A server whose clock runs fast,
    /// or which catches up slowly, stays within that limit.
    package private(set) var livePaceSince: MonotonicInstant?
    /// Whether the burst is over: a second has passed since ``pacedSince``, and frames now arrive on time, so neither
    /// the loop nor the network holds any back. If all frames stay late, settling takes three seconds.
    package private(set) var isSettled = false
    /// By how much the audio that arrived at the beginning exceeds the elapsed time; nil until settled.
    package private(set) var burst: Duration?
    /// How far the audio so far is ahead of the elapsed time. Once the burst is over, this is its length.
    package var lead: Duration {
        guard let firstOrigin, let arrivalOrigin else { return .zero }
        return max(.zero, firstOrigin - arrivalOrigin)
    }
    /// The time of the last delivery.
    package private(set) var lastArrival: MonotonicInstant?

    /// The time at which media time zero was at the edge according to the server.
    private var told: MonotonicInstant?
    /// The origin according to the first arrival alone: the true origin if there was no burst.
    private var firstOrigin: MonotonicInstant?
    /// The origins at ``pacedSince`` and at ``livePaceSince``. New origins are compared with these and not with the
    /// newest one, so that a slow creep is noticed.
    private var pacedOrigin = MonotonicInstant(nanoseconds: .max)
    private var livePaceOrigin = MonotonicInstant(nanoseconds: .max)

    private static let calm = Duration.seconds(1)
    private static let longestCalm = Duration.seconds(3)
    private static let jitter = Duration.milliseconds(40)
    private static let onTime = Duration.milliseconds(200)

    /// Creates the clock of a new connection, without any arrivals.
    package init() {}

    /// The time at which a frame that starts at a media time was, or will be, at the edge.
    package func instant(of media: Duration) -> MonotonicInstant? { origin.map { $0 + media } }

    /// Takes the server's word that media time zero was at its edge at `instant`. Pace and burst are still measured by
    /// the arrivals alone.
    package mutating func began(at instant: MonotonicInstant) { told = instant }

    /// Measures pace and burst by the arrival of the frames up to media time `end`.
    package mutating func arrived(upTo end: Duration, now: MonotonicInstant) {
        lastArrival = now
        if firstOrigin == nil { firstOrigin = now }
        let arrival = now - end
        let least = min(arrival, arrivalOrigin ?? arrival)
        arrivalOrigin = least
        if pacedSince == nil || least < pacedOrigin - Self.jitter { (pacedSince, pacedOrigin) = (now, least) }
        let gain = livePaceSince.map { Self.jitter + (now - $0) / 4 } ?? .zero
        if livePaceSince == nil || least < livePaceOrigin - gain { (livePaceSince, livePaceOrigin) = (now, least) }
        guard !isSettled, let pacedSince else { return }
        isSettled = now - pacedSince >= (arrival <= least + Self.onTime ? Self.calm : Self.longestCalm)
        if isSettled { burst = lead }
    }
}

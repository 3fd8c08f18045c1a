// SPDX-License-Identifier: MIT

package import Instants

/// The map from media time to air time of a live station: an ``EdgeClock`` on the wall clock. A pure value.
///
/// No cut may be decided before it has settled.
package struct AirClock: Sendable {
    /// The fitted map, once there was an arrival.
    package private(set) var airTime: AirTime?
    /// The same on the clock that never steps.
    package private(set) var edge: EdgeClock

    /// A settled map is told again only when it has moved by more than this, or its drift is known better.
    private static let worthTelling = Duration.milliseconds(5)

    /// For a new format: nothing is known yet.
    package init(sampleRate: Int) {
        edge = EdgeClock(sampleRate: sampleRate)
    }

    /// Goes on with what a connection has shown already, before its first frame was accepted.
    package init(_ edge: EdgeClock) {
        self.edge = edge
    }

    /// What arrives from now on comes over another connection and goes on in the same count.
    package mutating func reconnected() { edge.reconnected() }

    /// Frames of media time `start..<end` (in samples) have arrived. True where ``airTime`` has changed.
    package mutating func arrived(
        from start: Int64, upTo end: Int64, now: MonotonicInstant, wall: WallInstant
    ) -> Bool {
        edge.arrived(from: start, upTo: end, now: now)
        return refit(now: now, wall: wall)
    }

    /// Makes the map of what is known already. True where ``airTime`` has changed.
    package mutating func refit(now: MonotonicInstant, wall: WallInstant) -> Bool {
        guard let mono = edge.origin else { return false }
        let origin = wall - (now - mono)
        let fitted = AirTime(
            origin: origin, sampleRate: edge.sampleRate, isSettled: edge.isSettled, drift: edge.drift)
        if let old = airTime, old.isSettled == fitted.isSettled, old.drift == fitted.drift {
            let moved = old.origin.duration(to: origin).wholeNanoseconds.magnitude
            guard moved > Self.worthTelling.wholeNanoseconds.magnitude else { return false }
        }
        airTime = fitted
        return true
    }
}

// SPDX-License-Identifier: MIT

package import Instants

/// The newest gap, whose length follows the map behind it for a minute. A pure value.
///
/// No frame arrives before it is on air, but the first ones after a gap may all be late, because many servers send once
/// a second, or in blocks. As frames come that are less late, the map moves back, and the gap gets shorter.
package struct RecentGap: Sendable {
    /// The position of the frame after the gap.
    package let position: Position
    package private(set) var gap: Gap
    /// The edge from which frames came after the gap, and the map's origin when the length was told.
    private let edge: String
    private var origin: MonotonicInstant
    private let told: MonotonicInstant

    private static let patience = Duration.seconds(60)
    /// In this time, most servers have sent something that was on time.
    private static let calm = Duration.seconds(10)
    /// Smaller changes are not told.
    private static let leastChange = Duration.milliseconds(5)

    /// Nil if the gap has no length. `clock` is the clock behind it.
    package init?(_ gap: Gap, before position: Position, _ clock: AirClock, _ now: MonotonicInstant) {
        guard gap.length != nil, let origin = clock.origin else { return nil }
        (self.gap, self.position, self.origin, edge) = (gap, position, origin, clock.edge)
        told = now
    }

    /// Whether the map has no more to say: time has passed, or frames come from another edge.
    package func isOver(_ clock: AirClock, _ now: MonotonicInstant) -> Bool {
        now - told >= Self.patience || clock.edge != edge
    }

    /// Whether the length is as good as it gets.
    package func isCalm(_ clock: AirClock, _ now: MonotonicInstant) -> Bool {
        now - told >= Self.calm || clock.edge != edge
    }

    /// Shortens the gap if the map has moved back. Returns whether it has.
    package mutating func follow(_ clock: AirClock) -> Bool {
        guard clock.isSettled, clock.edge == edge, let length = gap.length, let now = clock.origin,
            origin - now > Self.leastChange
        else { return false }
        gap.length = max(.zero, length - (origin - now))
        origin = now
        return true
    }
}

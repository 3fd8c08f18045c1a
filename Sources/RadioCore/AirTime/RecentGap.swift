// SPDX-License-Identifier: MIT

package import Instants

/// A gap whose length follows what is known of the time. A pure value.
///
/// The length is how much later the same server's frames are than before the gap. It is known as soon as a server was
/// measured on both sides, and gets smaller for a minute: no frame arrives before it is on air, but the first ones
/// after a gap may all be late, because many servers send once a second, or in blocks.
package struct RecentGap: Sendable {
    /// The position of the frame after the gap.
    package let position: Position
    package private(set) var gap: Gap
    /// A clock before the gap, or one that knows of its length.
    private var old: AirClock
    /// When it got its length, and the edge from which frames came then.
    private var toldAt: MonotonicInstant
    private var edge: String?

    private static let patience = Duration.seconds(60)
    /// For how long a gap may have no length.
    private static let longestPatience = Duration.seconds(120)
    /// A server that is behind by more has sent audio again. By less, the clock before the gap may have been late.
    private static let mostEarly = Duration.seconds(2)
    /// Smaller changes are not told.
    private static let leastChange = Duration.milliseconds(5)

    package init(_ gap: Gap, before position: Position, since old: AirClock, _ now: MonotonicInstant) {
        (self.gap, self.position, self.old, toldAt) = (gap, position, old, now)
        if gap.length != nil { edge = old.edge }
    }

    /// Whether the clock has no more to say: time has passed, or frames come from another edge.
    package func isOver(_ clock: AirClock, _ now: MonotonicInstant) -> Bool {
        guard let edge else { return now - toldAt >= Self.longestPatience }
        return now - toldAt >= Self.patience || clock.edge != edge
    }

    /// Gives the gap its length, or a smaller one, according to the clock behind it, which then knows of it. Returns
    /// by how much the length has changed, if it has.
    package mutating func follow(_ clock: inout AirClock, _ now: MonotonicInstant) -> Duration? {
        let told = gap.length ?? .zero
        guard !isOver(clock, now), let missing = clock.missing(since: old).map({ told + $0 }),
            gap.length == nil || told - max(.zero, missing) > Self.leastChange
        else { return nil }
        let length = max(.zero, missing)
        if gap.length == nil {
            (toldAt, edge) = (now, clock.edge)
            // A server that proves to be behind sent audio again, which would not be told if nothing is missing.
            gap.overlap = missing < .zero - Self.mostEarly ? .zero - missing : .zero
        }
        gap.length = length
        clock.missing = clock.missing + (length - told)
        return length - told
    }

    /// The gap before this one proves to be longer by `more`.
    package mutating func follows(_ more: Duration) { old.missing = old.missing + more }
}

// SPDX-License-Identifier: MIT

/// Both clocks, read at one moment.
///
/// Converts instants of one clock to the other. The conversion is valid until somebody sets the wall clock: afterwards,
/// both clocks have to be read again.
package struct ClockReading: Hashable, Sendable {
    package var wall: WallInstant
    package var now: MonotonicInstant

    package init(wall: WallInstant, now: MonotonicInstant) {
        self.wall = wall
        self.now = now
    }

    /// What the wall clock shows at an instant.
    package func wall(at instant: MonotonicInstant) -> WallInstant { wall + (instant - now) }

    /// The instant at which the wall clock shows a time.
    package func instant(of time: WallInstant) -> MonotonicInstant { now + (time - wall) }

    /// What the wall clock shows from the beginning of a span to its end.
    package func wall(at span: Range<MonotonicInstant>) -> Range<WallInstant> {
        wall(at: span.lowerBound)..<wall(at: span.upperBound)
    }
}

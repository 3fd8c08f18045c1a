// SPDX-License-Identifier: MIT

/// A point on the monotonic clock, for timers, deadlines and arrival times.
///
/// Counts nanoseconds on a clock that never steps (`CLOCK_MONOTONIC` on a real loop, a counter on a manual one). It
/// says nothing about the time of day: names and logs use ``WallInstant``. The two types are converted into each other
/// only where a clock is read.
package struct MonotonicInstant: InstantProtocol, Sendable {
    /// Nanoseconds since the clock's arbitrary start.
    package var nanoseconds: Int64

    package init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// Saturates at the limits of 64 bits, some 292 years away: no claim of a stream may crash the program.
    package func advanced(by duration: Duration) -> MonotonicInstant {
        let step = duration.wholeNanoseconds
        let (sum, overflow) = nanoseconds.addingReportingOverflow(step)
        return MonotonicInstant(nanoseconds: overflow ? (step < 0 ? .min : .max) : sum)
    }

    package func duration(to other: MonotonicInstant) -> Duration {
        Duration(nanoseconds: other.nanoseconds) - Duration(nanoseconds: nanoseconds)
    }

    /// The earlier of two instants; nil if there is neither.
    package static func earliest(_ one: MonotonicInstant?, _ other: MonotonicInstant?) -> MonotonicInstant? {
        guard let one, let other else { return one ?? other }
        return min(one, other)
    }

    package static func < (left: MonotonicInstant, right: MonotonicInstant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    /// The time elapsed from `right` to `left`.
    package static func - (left: MonotonicInstant, right: MonotonicInstant) -> Duration {
        right.duration(to: left)
    }

    package static func + (left: MonotonicInstant, right: Duration) -> MonotonicInstant {
        left.advanced(by: right)
    }

    package static func - (left: MonotonicInstant, right: Duration) -> MonotonicInstant {
        left.advanced(by: .zero - right)
    }
}

// SPDX-License-Identifier: MIT

/// A point in civil time (UTC), for names, schedules, logs and air times.
///
/// Counts nanoseconds since 1970-01-01T00:00:00Z without leap seconds, like `CLOCK_REALTIME`. That clock steps when
/// somebody sets it, so timers never wait for a wall instant: they use ``MonotonicInstant``.
package struct WallInstant: InstantProtocol, Sendable {
    /// Nanoseconds since 1970-01-01T00:00:00Z.
    package var nanoseconds: Int64

    package init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// Saturates at the limits of 64 bits, some 292 years away: no claim of a stream may crash the program.
    package func advanced(by duration: Duration) -> WallInstant {
        let step = duration.wholeNanoseconds
        let (sum, overflow) = nanoseconds.addingReportingOverflow(step)
        return WallInstant(nanoseconds: overflow ? (step < 0 ? .min : .max) : sum)
    }

    package func duration(to other: WallInstant) -> Duration {
        Duration(nanoseconds: other.nanoseconds) - Duration(nanoseconds: nanoseconds)
    }

    package static func < (left: WallInstant, right: WallInstant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    /// The time elapsed from `right` to `left`.
    package static func - (left: WallInstant, right: WallInstant) -> Duration {
        right.duration(to: left)
    }

    package static func + (left: WallInstant, right: Duration) -> WallInstant {
        left.advanced(by: right)
    }

    package static func - (left: WallInstant, right: Duration) -> WallInstant {
        left.advanced(by: .zero - right)
    }
}

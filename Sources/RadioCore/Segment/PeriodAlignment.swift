// SPDX-License-Identifier: MIT

package import Instants

/// Finds the boundaries of periods: local midnight and every whole period after it, by the clocks of a zone.
///
/// An instant is a boundary if the local time of day is a whole multiple of the period. With `1h`, every full hour is a
/// boundary; if an hour occurs twice, both occurrences are boundaries. If the clocks skip a boundary, the first instant
/// after the skip takes its place. Midnight is always a boundary, even if the day is not a multiple of the period.
package enum PeriodAlignment {
    /// The first boundary after `instant`. The period is clamped to the range from 1 ms to one day.
    package static func nextBoundary(
        after instant: WallInstant, period: Duration, zone: any TimeZoneRules
    ) -> WallInstant {
        let step = min(max(period.wholeNanoseconds, 1_000_000), LocalTime.day)
        return WallInstant(
            nanoseconds: zone.firstInstant(after: instant.nanoseconds) { boundary(atOrAfter: $0, step) })
    }

    /// The first boundary at or after `local`, by a clock without changes; in nanoseconds of local time.
    private static func boundary(atOrAfter local: Int64, _ step: Int64) -> Int64 {
        let (days, timeOfDay) = local.dividedRoundingDown(by: LocalTime.day)
        let (steps, rest) = timeOfDay.quotientAndRemainder(dividingBy: step)
        return days * LocalTime.day + min((rest == 0 ? steps : steps + 1) * step, LocalTime.day)
    }
}

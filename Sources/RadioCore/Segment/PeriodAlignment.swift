// SPDX-License-Identifier: MIT

package import Instants

/// Finds the boundaries of periods: local midnight and every whole period after it, by the clocks of a zone.
///
/// An instant is a boundary if the local time of day is a whole multiple of the period. With `1h`, every full hour is a
/// boundary, and both are if an hour comes twice. If the clocks skip a boundary, the first instant after the skip takes
/// its place. Midnight is always a boundary, whatever the period leaves over of the day.
package enum PeriodAlignment {
    /// The first boundary after `instant`. The period is clamped to 1 ms to one day.
    package static func nextBoundary(
        after instant: WallInstant, period: Duration, zone: any TimeZoneRules
    ) -> WallInstant {
        let step = min(max(period.wholeNanoseconds, 1_000_000), day)
        // Stays clear of the ends of the number range, where there is no calendar.
        var start = min(max(instant.nanoseconds, .min + 4 * day), .max - 4 * day)
        while true {
            let before = offset(zone, start)
            let candidate = boundary(atOrAfter: start + before + 1, step) - before
            guard let change = firstChange(after: start, upTo: candidate, zone) else {
                return WallInstant(nanoseconds: candidate)
            }
            // There is no boundary before the change: `candidate` would have been the first. At the change, local time
            // goes from `last` (not reached) to `next`.
            let last = change + before
            let next = change + offset(zone, change)
            if boundary(atOrAfter: min(last, next), step) <= next { return WallInstant(nanoseconds: change) }
            start = change
        }
    }

    private static let second: Int64 = 1_000_000_000
    private static let hour = 3600 * second
    private static let day = 24 * hour

    /// The first boundary, at or after `local`, of a clock that never changes; in local nanoseconds.
    private static func boundary(atOrAfter local: Int64, _ step: Int64) -> Int64 {
        let (days, timeOfDay) = local.dividedRoundingDown(by: day)
        let (steps, rest) = timeOfDay.quotientAndRemainder(dividingBy: step)
        return days * day + min((rest == 0 ? steps : steps + 1) * step, day)
    }

    /// The first instant in `start+1 ... end` whose offset differs from that of `start`. Changes fall on whole seconds.
    /// Two changes within an hour that cancel each other out are not seen; no zone ever had any.
    private static func firstChange(after start: Int64, upTo end: Int64, _ zone: any TimeZoneRules) -> Int64? {
        let before = offset(zone, start)
        var same = start
        while same < end {
            let probe = min(same + hour, end)
            if offset(zone, probe) != before { return bisect(same, probe, before, zone) }
            same = probe
        }
        return nil
    }

    private static func bisect(_ from: Int64, _ to: Int64, _ before: Int64, _ zone: any TimeZoneRules) -> Int64 {
        var low = from.dividedRoundingDown(by: second).quotient
        var high = to.dividedRoundingDown(by: second).quotient
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if offset(zone, middle * second) == before { low = middle } else { high = middle }
        }
        return high * second
    }

    private static func offset(_ zone: any TimeZoneRules, _ nanoseconds: Int64) -> Int64 {
        Int64(zone.utcOffset(at: WallInstant(nanoseconds: nanoseconds))) * second
    }
}

// SPDX-License-Identifier: MIT

import Instants

/// Conversions from local times to instants. Local times are nanoseconds since 1970-01-01T00:00 by the zone's own
/// clocks.
extension TimeZoneRules {
    /// The first instant after `start` at which clocks show a wanted local time, or have just skipped one.
    ///
    /// `wanted` returns the first wanted local time at or after a given local time; the two must be less than a few
    /// days apart. A wanted time that occurs twice counts twice; a wanted time that a clock change skips counts as the
    /// first instant after the skip. All values are in nanoseconds.
    package func firstInstant(after start: Int64, showing wanted: (_ local: Int64) -> Int64) -> Int64 {
        // Avoids the ends of the number range, where there is no calendar.
        var start = min(max(start, .min + 4 * LocalTime.day), .max - 4 * LocalTime.day)
        while true {
            let before = offset(start)
            let candidate = wanted(start + before + 1) - before
            guard let change = firstChange(after: start, upTo: candidate) else { return candidate }
            // Without the change, `candidate` would be the first such instant, so clocks show no wanted time before the
            // change. At the change, local time jumps from `last`, which clocks do not reach, to `next`.
            let last = change + before
            let next = change + offset(change)
            if wanted(min(last, next)) <= next { return change }
            start = change
        }
    }

    /// The first instant at which clocks show `local`, or the first instant after a skip of that time; in nanoseconds.
    package func firstInstant(showing local: Int64) -> Int64 {
        // No zone is a whole day ahead of UTC, so no clock shows `local` before the start of this search.
        firstInstant(after: local - LocalTime.day) { max($0, local) }
    }

    /// The local time that clocks show at an instant; both in nanoseconds.
    package func localTime(at instant: Int64) -> Int64 { instant + offset(instant) }

    /// The first instant in `start+1 ... end` whose offset differs from that of `start`. Changes fall on whole seconds.
    /// Two changes within an hour that cancel each other out are missed; no zone has ever had such a pair.
    private func firstChange(after start: Int64, upTo end: Int64) -> Int64? {
        let before = offset(start)
        var same = start
        while same < end {
            let probe = min(same + LocalTime.hour, end)
            if offset(probe) != before { return change(from: same, to: probe, before) }
            same = probe
        }
        return nil
    }

    /// Finds the change between two instants by bisection; `before` is the offset at the first instant.
    private func change(from: Int64, to: Int64, _ before: Int64) -> Int64 {
        let first = from.dividedRoundingDown(by: LocalTime.second).quotient + 1
        let last = to.dividedRoundingDown(by: LocalTime.second).quotient
        return (first..<last).firstByBisection { offset($0 * LocalTime.second) != before } * LocalTime.second
    }

    private func offset(_ nanoseconds: Int64) -> Int64 {
        Int64(utcOffset(at: WallInstant(nanoseconds: nanoseconds))) * LocalTime.second
    }
}

/// Units of local time, in nanoseconds.
package enum LocalTime {
    package static let second: Int64 = 1_000_000_000
    package static let hour = 3600 * second
    package static let day = 24 * hour
}

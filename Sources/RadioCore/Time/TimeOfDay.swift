// SPDX-License-Identifier: MIT

package import Instants
import RadioFormats

/// A time of day as local clocks show it: `20:00`, `20:00:00`, `20:00:00.250`.
package struct TimeOfDay: Hashable, Sendable, CustomStringConvertible {
    /// Nanoseconds since midnight by that clock.
    package let nanoseconds: Int64

    /// Why a text is not a time of day. The description addresses the person who typed it.
    package struct ParseError: Error, Hashable, Sendable, CustomStringConvertible {
        package var description: String { "it must be a time of day such as 20:00 or 20:00:00.250" }
    }

    /// Parses hours and minutes, optional seconds, and an optional fraction of up to nine digits.
    package init(parsing text: String) throws(ParseError) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2 || parts.count == 3,
            let hour = parts[0].number(ofDigits: 1...2), hour < 24,
            let minute = parts[1].number(ofDigits: 1...2), minute < 60
        else { throw ParseError() }
        var seconds: Int64 = 0
        var fraction: Int64 = 0
        if parts.count == 3 {
            let halves = parts[2].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
            guard let second = halves[0].number(ofDigits: 1...2), second < 60 else { throw ParseError() }
            seconds = Int64(second)
            if halves.count == 2 {
                guard let digits = halves[1].number(ofDigits: 1...9) else { throw ParseError() }
                fraction = (halves[1].utf8.count..<9).reduce(Int64(digits)) { value, _ in value * 10 }
            }
        }
        nanoseconds = (Int64(hour * 60 + minute) * 60 + seconds) * 1_000_000_000 + fraction
    }

    /// Hours and minutes: `20:00`; with seconds if there are any: `20:00:30`. Fractions are left out.
    package var description: String {
        let seconds = nanoseconds / 1_000_000_000
        let parts = [seconds / 3_600, seconds / 60 % 60] + (seconds % 60 == 0 ? [] : [seconds % 60])
        return parts.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }

    /// The first instant from `now` on at which clocks of the zone show this time. If the time occurs twice, the result
    /// is the first occurrence that is not past. If a clock change skips the time, the result is the instant of the
    /// change.
    package func next(from now: WallInstant, in zone: any TimeZoneRules) -> WallInstant {
        // The subtraction saturates only at the end of the number range, which the search avoids.
        let before = now - .nanoseconds(1)
        return WallInstant(nanoseconds: zone.firstInstant(after: before.nanoseconds, showing: next(atOrAfter:)))
    }

    /// The first instant from `start` to `end` at which clocks of the zone show this time; if there is none, the
    /// nearest such instant after that span, or before it on the day of `start`.
    package func nearest(from start: WallInstant, to end: WallInstant, in zone: any TimeZoneRules) -> WallInstant {
        let next = next(from: start, in: zone)
        guard next > end else { return next }
        let previous = self.next(from: start - .seconds(86_400), in: zone)
        let isSameDay = CalendarDate(CivilTime(previous, in: zone)) == CalendarDate(CivilTime(start, in: zone))
        return isSameDay && start - previous < next - end ? previous : next
    }

    /// The first local time, at or after `local`, with this time of day; in nanoseconds.
    private func next(atOrAfter local: Int64) -> Int64 {
        let (days, timeOfDay) = local.dividedRoundingDown(by: LocalTime.day)
        return (timeOfDay <= nanoseconds ? days : days + 1) * LocalTime.day + nanoseconds
    }
}

// SPDX-License-Identifier: MIT

package import Instants

/// A time of day as local clocks show it: `20:00`, `20:00:00`, `20:00:00.250`.
package struct TimeOfDay: Hashable, Sendable {
    /// Nanoseconds since midnight by that clock.
    package let nanoseconds: Int64

    /// Why a text is no time of day. The description addresses the person who typed it.
    package struct ParseError: Error, Hashable, Sendable, CustomStringConvertible {
        package var description: String { "it must be a time of day such as 20:00 or 20:00:00.250" }
    }

    /// Parses hours and minutes, optional seconds, and an optional fraction of up to nine digits.
    package init(parsing text: String) throws(ParseError) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2 || parts.count == 3,
            let hour = Self.number(parts[0], 2), hour < 24,
            let minute = Self.number(parts[1], 2), minute < 60
        else { throw ParseError() }
        var seconds: Int64 = 0
        var fraction: Int64 = 0
        if parts.count == 3 {
            let halves = parts[2].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
            guard let second = Self.number(halves[0], 2), second < 60 else { throw ParseError() }
            seconds = second
            if halves.count == 2 {
                guard (1...9).contains(halves[1].utf8.count), let digits = Self.number(halves[1], 9) else {
                    throw ParseError()
                }
                fraction = (halves[1].utf8.count..<9).reduce(digits) { value, _ in value * 10 }
            }
        }
        nanoseconds = ((hour * 60 + minute) * 60 + seconds) * 1_000_000_000 + fraction
    }

    private static func number(_ text: Substring, _ most: Int) -> Int64? {
        guard (1...most).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int64(text)
    }

    /// The first instant from `now` on at which clocks of the zone show this time. Of a time that comes twice, the
    /// first that is not over; for a time that a clock change skips, the instant of the change.
    package func next(from now: WallInstant, in zone: any TimeZoneRules) -> WallInstant {
        let day: Int64 = 86_400_000_000_000
        let local = now.nanoseconds + offset(zone, now.nanoseconds)
        let midnight = local.dividedRoundingDown(by: day).quotient * day
        for wanted in [midnight + nanoseconds, midnight + day + nanoseconds] {
            let instant = first(showing: wanted, notBefore: now.nanoseconds, zone)
            if instant >= now.nanoseconds { return WallInstant(nanoseconds: instant) }
        }
        return WallInstant(
            nanoseconds: first(showing: midnight + 2 * day + nanoseconds, notBefore: now.nanoseconds, zone))
    }

    /// The first instant at which clocks of the zone show this time on a date, even if it comes twice. For a time that a
    /// clock change skips, the instant of the change.
    func first(on date: CalendarDate, in zone: any TimeZoneRules) -> WallInstant {
        let local = date.dayNumber * 86_400_000_000_000 + nanoseconds
        return WallInstant(nanoseconds: first(showing: local, notBefore: .min, zone))
    }

    /// The first instant at which clocks show a local time, not before `now` if there is one; or the clock change that
    /// skips that time.
    private func first(showing local: Int64, notBefore now: Int64, _ zone: any TimeZoneRules) -> Int64 {
        let span: Int64 = 43_200_000_000_000
        let guess = local - offset(zone, local)
        let offsets = Set([guess - span, guess, guess + span].map { offset(zone, $0) })
        let shown = offsets.map { local - $0 }.filter { $0 + offset(zone, $0) == local }.sorted()
        if let instant = shown.first(where: { $0 >= now }) ?? shown.last { return instant }
        // The time is skipped: the change lies between the two instants that the offsets would give.
        var (low, high) = ((offsets.map { local - $0 }.min() ?? guess) - 1, offsets.map { local - $0 }.max() ?? guess)
        let before = offset(zone, low)
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if offset(zone, middle) == before { low = middle } else { high = middle }
        }
        return high
    }

    private func offset(_ zone: any TimeZoneRules, _ nanoseconds: Int64) -> Int64 {
        Int64(zone.utcOffset(at: WallInstant(nanoseconds: nanoseconds))) * 1_000_000_000
    }
}

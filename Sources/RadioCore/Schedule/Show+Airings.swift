// SPDX-License-Identifier: MIT

package import Instants

extension Show {
    /// How far ahead the next broadcast is looked for.
    private static let longestLook = Duration.seconds(400 * 86_400)

    /// The broadcasts whose recordings overlap a span, in order.
    ///
    /// A start that a clock change skips means the first instant after it, one that comes twice means the first. A
    /// length is elapsed time. An end is the first instant after the start at which clocks show that time.
    package func airings(overlapping span: Range<WallInstant>, in zone: any TimeZoneRules) -> [Airing] {
        // Clamped to where there is a calendar.
        let span = span.clamped(to: Self.calendar)
        guard !span.isEmpty else { return [] }
        let first = date(of: span.lowerBound - longest - late, in: zone).adding(days: -1)
        let last = date(of: span.upperBound + early, in: zone).adding(days: 1)
        return dates(from: first, to: last).compactMap { date in
            guard let airing = airing(on: date, in: zone), airing.recording.overlaps(span) else { return nil }
            return airing
        }.sorted { $0.recording.lowerBound < $1.recording.lowerBound }
    }

    /// The first broadcast whose recording starts at an instant or later; nil if there is none in the next 400 days.
    package func nextAiring(from instant: WallInstant, in zone: any TimeZoneRules) -> Airing? {
        let span = (instant..<instant + Self.longestLook).clamped(to: Self.calendar)
        guard !span.isEmpty else { return nil }
        let first = date(of: span.lowerBound + early, in: zone).adding(days: -2)
        for date in dates(from: first, to: date(of: span.upperBound, in: zone)) {
            if let airing = airing(on: date, in: zone), airing.recording.lowerBound >= instant { return airing }
        }
        return nil
    }

    /// The dates on which the show is on.
    private func dates(from first: CalendarDate, to last: CalendarDate) -> some Sequence<CalendarDate> {
        let first = max(first, validFrom ?? first)
        let last = min(last, validUntil ?? last)
        let numbers = first.dayNumber..<max(first.dayNumber, last.dayNumber + 1)
        return numbers.lazy.map { CalendarDate(dayNumber: $0) }.filter { days.contains($0) && !skipped.contains($0) }
    }

    /// The broadcast that starts on a date; nil if it has no length.
    private func airing(on date: CalendarDate, in zone: any TimeZoneRules) -> Airing? {
        let start = start.first(on: date, in: zone)
        let end = end(of: date, start, in: zone)
        guard start < end else { return nil }
        return Airing(
            show: id, date: date, broadcast: start..<end,
            recording: start - max(early, .zero)..<end + max(late, .zero))
    }

    private func end(of date: CalendarDate, _ start: WallInstant, in zone: any TimeZoneRules) -> WallInstant {
        switch end {
        case .length(let length): return start + length
        case .time(let time):
            let sameDay = time.first(on: date, in: zone)
            return sameDay > start ? sameDay : time.first(on: date.adding(days: 1), in: zone)
        }
    }

    /// No broadcast is longer.
    private var longest: Duration {
        if case .length(let length) = end { length } else { .seconds(2 * 86_400) }
    }

    private func date(of instant: WallInstant, in zone: any TimeZoneRules) -> CalendarDate {
        CalendarDate(CivilTime(instant, in: zone))
    }

    /// The years 1680 to 2260: a year's distance from what a ``WallInstant`` can hold.
    private static let calendar =
        WallInstant(nanoseconds: -9_151_488_000_000_000_000)..<WallInstant(nanoseconds: 9_151_488_000_000_000_000)
}

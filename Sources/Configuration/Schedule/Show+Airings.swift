// SPDX-License-Identifier: MIT

package import Instants
package import RadioCore

/// When a show is on, by local clocks and the calendar.
///
/// If a clock change skips a start or end, the first instant after the skip counts; if a start or end occurs twice, the
/// first occurrence counts. If the clocks skip a whole date, that date does not exist: it has no airing, and the day
/// after it follows the day before it. A show that ends by the clock is not on if a clock change skips both its start
/// and its end.
extension Show {
    /// The airings whose recording overlaps the range, in the order of their starts. `zone` holds the rules of
    /// ``zone``.
    package func airings(overlapping range: Range<WallInstant>, in zone: any TimeZoneRules) -> [Airing] {
        guard !range.isEmpty else { return [] }
        let earliest = range.lowerBound - max(late, .zero) - longest
        let first = date(at: earliest, zone).adding(days: -Self.margin)
        let last = date(at: range.upperBound + max(early, .zero), zone).adding(days: Self.margin)
        return validDays(first, last).flatMap { airings(on: $0, zone) }.filter { $0.recording.overlaps(range) }
    }

    /// A margin in days: it covers how far an airing's date can differ from the local date at its start, and how far
    /// local time can go back.
    private static let margin = 2

    /// No broadcast is longer than this. A broadcast that ends by the clock may take two days if a clock change makes a
    /// day twice as long.
    private var longest: Duration {
        switch end {
        case .length(let length): max(length, .zero)
        case .time: .seconds(3 * 86_400)
        }
    }

    /// The dates from `first` to `last` on which the show is on, in order.
    private func validDays(_ first: CalendarDate, _ last: CalendarDate) -> some Sequence<CalendarDate> {
        (first.dayNumber..<max(first.dayNumber, last.dayNumber + 1)).lazy.map(CalendarDate.init(dayNumber:)).filter(
            isOn)
    }

    /// The airings that start on a date, in order.
    private func airings(on date: CalendarDate, _ zone: any TimeZoneRules) -> [Airing] {
        if let start = moved[date] { return [airing(on: date, at: start, zone)].compactMap(\.self) }
        let further = furtherStarts.compactMap { start -> Airing? in
            var airing = airing(on: date, at: start, zone)
            airing?.time = start
            return airing
        }
        return ([airing(on: date, at: start, zone)].compactMap(\.self) + further)
            .sorted { $0.broadcast.lowerBound < $1.broadcast.lowerBound }
    }

    /// The airing that starts on a date, at a time; nil if the clocks skip the date, or both the start and the end.
    private func airing(on date: CalendarDate, at time: TimeOfDay, _ zone: any TimeZoneRules) -> Airing? {
        guard let begin = instant(time, on: date, zone), let length = length(on: date, zone), length > .zero else {
            return nil
        }
        let finish = begin + length
        let recording = begin - max(early, .zero)..<finish + max(late, .zero)
        return Airing(show: id, date: date, broadcast: begin..<finish, recording: recording)
    }

    /// How long a broadcast of a date is if it begins as usual; one that begins at another time is as long. Nil if the
    /// clocks skip the date, or both the start and the end.
    private func length(on date: CalendarDate, _ zone: any TimeZoneRules) -> Duration? {
        guard case .time(let time) = end else {
            if case .length(let length) = end { return length }
            return nil
        }
        guard let begin = instant(start, on: date, zone) else { return nil }
        let isSameDay = time.nanoseconds > start.nanoseconds
        let finish =
            isSameDay
            ? instant(time, on: date, zone)
            : instant(time, on: date.adding(days: 1), zone) ?? instant(time, on: date.adding(days: 2), zone)
        return finish.map { $0 - begin }
    }

    /// The first instant at which clocks show a time on a date, or have skipped it; nil if clocks never show the date.
    private func instant(_ time: TimeOfDay, on date: CalendarDate, _ zone: any TimeZoneRules) -> WallInstant? {
        let midnight = date.dayNumber * LocalTime.day
        let instant = zone.firstInstant(showing: midnight + time.nanoseconds)
        // If the skip leads to another date, either only the time was skipped, close to midnight, or the whole date was
        // skipped. If the whole date was skipped, the date's midnight leads to another date as well.
        if zone.localTime(at: instant) >= midnight + LocalTime.day,
            zone.localTime(at: zone.firstInstant(showing: midnight)) >= midnight + LocalTime.day
        {
            return nil
        }
        return WallInstant(nanoseconds: instant)
    }

    private func date(at instant: WallInstant, _ zone: any TimeZoneRules) -> CalendarDate {
        CalendarDate(CivilTime(instant, in: zone))
    }
}

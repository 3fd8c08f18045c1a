// SPDX-License-Identifier: MIT

package import Configuration
import Instants
package import RadioCore

/// Finds the broadcasts that a user means.
package struct ShowRequests: Sendable {
    let stations: [StationConfiguration]
    /// The rules of a zone by its name.
    let zones: ShowCalendar.Zones
    let now: WallInstant

    /// A show, with the ID of its station.
    package struct Found: Hashable, Sendable {
        package var station: String
        package var show: Show
    }

    /// The show that a user names by its ID, or by those of its station and of it: `fip/morning`.
    package func show(named name: String) throws(Failure) -> Found {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let found = stations.flatMap { station in
            station.shows.filter { parts == [$0.show.id] || parts == [station.id, $0.show.id] }
                .map { Found(station: station.id, show: $0.show) }
        }
        guard let first = found.first else {
            throw Failure(
                .notFound, "there is no show called '\(name)' in the configuration",
                remedy: "name it by its id, or with its station, as in fip/morning; 'aircheck schedule' lists the shows"
            )
        }
        guard found.count == 1 else {
            let names = found.map { "\($0.station)/\($0.show.id)" }.joined(separator: ", ")
            throw Failure(.usage, "several stations have a show called '\(name)'", remedy: "write one of \(names)")
        }
        return first
    }

    /// The broadcasts of a show on a day that are not over: `today`, `tomorrow`, a day of the week, or a date. Days are
    /// those of the show's zone, and a broadcast belongs to the day on which it begins: after midnight, the day of the
    /// week may be that of the broadcast that is still on.
    package func broadcasts(of found: Found, on day: String) throws(Failure) -> [ShowAiring] {
        guard let zone = zones(found.show.zone) else { return [] }
        let today = CalendarDate(CivilTime(now, in: zone))
        let present = Set(found.show.airings(overlapping: now..<now + .seconds(1), in: zone).map(\.date))
        guard let date = Self.date(day, today, present) else {
            throw Failure(
                .usage, "'\(day)' is not a day",
                remedy: "write today, tomorrow, a day such as fri, or a date such as \(today)")
        }
        let start = date.start(in: zone)
        let span = start - .seconds(86_400)..<start + .seconds(3 * 86_400)
        let airings = found.show.airings(overlapping: span, in: zone).filter { $0.date == date }
        guard !airings.isEmpty else {
            throw Failure(
                .notFound, "\(found.show.name) is not on at \(date)", remedy: "'aircheck schedule' lists its broadcasts"
            )
        }
        let rest = airings.filter { $0.recording.upperBound > now }
        guard !rest.isEmpty else {
            throw Failure(
                .notFound, "\(found.show.name) of \(date) is over",
                remedy: "'aircheck recordings' lists what was recorded of it")
        }
        return rest.map { ShowAiring(station: found.station, show: found.show, airing: $0) }
    }

    /// The broadcasts of a show that are on now.
    package func present(of found: Found) throws(Failure) -> [ShowAiring] {
        let airings =
            zones(found.show.zone).map { found.show.airings(overlapping: now..<now + .seconds(1), in: $0) } ?? []
        guard !airings.isEmpty else {
            throw Failure(
                .notFound, "\(found.show.name) is not on at the moment",
                remedy: "'aircheck status' lists what is recorded")
        }
        return airings.map { ShowAiring(station: found.station, show: found.show, airing: $0) }
    }

    /// `present`: the dates of the broadcasts that are on.
    private static func date(_ day: String, _ today: CalendarDate, _ present: Set<CalendarDate>) -> CalendarDate? {
        switch day.lowercased() {
        case "today": return today
        case "tomorrow": return today.adding(days: 1)
        default: break
        }
        if let date = try? CalendarDate(parsing: day) { return date }
        guard let days = try? ShowDays(parsing: [day]) else { return nil }
        let next = (0..<7).map { today.adding(days: $0) }
        return (present.sorted() + next).first { days.contains($0) }
    }
}

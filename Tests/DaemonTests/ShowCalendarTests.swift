// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import Stations
import TestSupport
import Testing

@testable import Configuration
@testable import Daemon

/// Which broadcasts are expected to be refused because too many stations are on at the same time.
struct ShowCalendarTests {
    private static let midnight = WallInstant(nanoseconds: 1_795_651_200_000_000_000)
    private static let day = midnight..<midnight + .seconds(86_400)

    private static func show(
        _ id: String, from start: Int, minutes: Int, priority: Int = 0
    ) throws -> StationConfiguration.ShowConfiguration {
        let digits = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
        var show = Show(
            id: id, name: id, days: try ShowDays(parsing: ["daily"]),
            start: try TimeOfDay(parsing: "\(digits(start / 60)):\(digits(start % 60))"),
            end: .length(.seconds(60 * minutes)), zone: "UTC")
        show.priority = priority
        return .init(show: show, files: .init())
    }

    private static func station(
        _ id: String, _ shows: [StationConfiguration.ShowConfiguration]
    ) -> StationConfiguration {
        var station = StationConfiguration(
            id: id, source: StationSettings(urls: ["http://\(id)/live"], userAgent: "test"))
        station.shows = shows
        return station
    }

    private static func key(_ station: String, _ show: String) -> UseKey {
        UseKey(station, .airing(show: show, date: CalendarDate(CivilTime(midnight, utcOffset: 0))))
    }

    private static func calendar(_ stations: [StationConfiguration], atOnce: Int?) -> ShowCalendar {
        ShowCalendar(stations, stationsAtOnce: atOnce) { _ in FixedZone.utc }
    }

    @Test("The later of two stations is refused if one is allowed at a time, unless it has priority")
    func oneAtATime() throws {
        func refused(_ priority: Int, atOnce: Int?) throws -> Set<UseKey> {
            let calendar = Self.calendar(
                [
                    Self.station("a", [try Self.show("one", from: 600, minutes: 60)]),
                    Self.station("b", [try Self.show("two", from: 630, minutes: 60, priority: priority)]),
                    Self.station("c", [try Self.show("three", from: 690, minutes: 60)]),
                ], atOnce: atOnce)
            return calendar.refused(in: calendar.airings(overlapping: Self.day))
        }
        #expect(try refused(0, atOnce: 1) == [Self.key("b", "two")])
        #expect(try refused(1, atOnce: 1) == [Self.key("a", "one")])
        #expect(try refused(0, atOnce: 2).isEmpty)
        #expect(try refused(0, atOnce: nil).isEmpty)
    }

    @Test("A show recorded beside another show of its station may be refused when that show is over")
    func besideAnother() throws {
        let calendar = Self.calendar(
            [
                Self.station(
                    "a",
                    [
                        try Self.show("short", from: 600, minutes: 60, priority: 2),
                        try Self.show("long", from: 600, minutes: 120),
                    ]),
                Self.station("b", [try Self.show("other", from: 630, minutes: 90, priority: 1)]),
            ], atOnce: 1)
        // The other station's show is refused until eleven, and the long show from then on.
        let refused = calendar.refused(in: calendar.airings(overlapping: Self.day))
        #expect(refused == [Self.key("a", "long"), Self.key("b", "other")])
    }

    @Test("The refusals that are foreseen are those that occur") func foreseen() throws {
        var random = SplitMix64(seed: 4)
        for _ in 0..<12 {
            let stations = try ["a", "b", "c", "d"].map { id in
                Self.station(
                    id,
                    try (0..<3).map { number in
                        try Self.show(
                            "show\(number)", from: 10 * Int.random(in: 0..<100, using: &random),
                            minutes: 10 * Int.random(in: 1...30, using: &random),
                            priority: Int.random(in: 0...2, using: &random))
                    })
            }
            var calendar = Self.calendar(stations, atOnce: Int.random(in: 1...3, using: &random))
            let foreseen = calendar.refused(in: calendar.airings(overlapping: Self.day))
            var refused: Set<UseKey> = []
            for minutes in stride(from: 0, to: 24 * 60, by: 10) {
                refused.formUnion(calendar.present(at: Self.midnight + .seconds(60 * minutes)).refused.map(\.key))
            }
            #expect(foreseen == refused)
        }
    }
}

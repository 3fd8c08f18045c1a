// SPDX-License-Identifier: MIT

import Configuration
import Instants
import RadioCore
import Stations
import TestSupport
import Testing

@testable import Daemon

/// Which broadcasts are foreseen to be refused, because too many stations are on at the same time.
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

    private static func calendar(_ stations: [StationConfiguration], atOnce: Int?) -> ShowCalendar {
        ShowCalendar(stations, stationsAtOnce: atOnce) { _ in FixedZone.utc }
    }

    @Test func `of two stations at a time one is refused: the later one, unless it has priority`() throws {
        func refused(_ priority: Int, atOnce: Int?) throws -> Set<UseKey> {
            let calendar = Self.calendar(
                [
                    Self.station("a", [try Self.show("one", from: 600, minutes: 60)]),
                    Self.station("b", [try Self.show("two", from: 630, minutes: 60, priority: priority)]),
                    Self.station("c", [try Self.show("three", from: 690, minutes: 60)]),
                ], atOnce: atOnce)
            return calendar.refused(in: calendar.airings(overlapping: Self.day))
        }
        func key(_ station: String, _ show: String) -> UseKey {
            UseKey(station, .airing(show: show, date: CalendarDate(CivilTime(Self.midnight, utcOffset: 0))))
        }
        #expect(try refused(0, atOnce: 1) == [key("b", "two")])
        #expect(try refused(1, atOnce: 1) == [key("a", "one")])
        #expect(try refused(0, atOnce: 2).isEmpty)
        #expect(try refused(0, atOnce: nil).isEmpty)
    }

    @Test func `what is foreseen is what is refused when the time comes`() throws {
        var random = SplitMix64(seed: 4)
        for _ in 0..<60 {
            let stations = try ["a", "b", "c", "d"].map { id in
                Self.station(
                    id,
                    try (0..<3).map { number in
                        try Self.show(
                            "show\(number)", from: 5 * Int.random(in: 0..<200, using: &random),
                            minutes: 5 * Int.random(in: 1...60, using: &random),
                            priority: Int.random(in: 0...2, using: &random))
                    })
            }
            var calendar = Self.calendar(stations, atOnce: Int.random(in: 1...3, using: &random))
            let foreseen = calendar.refused(in: calendar.airings(overlapping: Self.day))
            var refused: Set<UseKey> = []
            for minutes in stride(from: 0, to: 24 * 60, by: 5) {
                refused.formUnion(calendar.present(at: Self.midnight + .seconds(60 * minutes)).refused.map(\.key))
            }
            #expect(foreseen == refused)
        }
    }
}

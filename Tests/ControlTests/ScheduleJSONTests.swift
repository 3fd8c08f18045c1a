// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import RadioFormats
import Stations
import Testing

@testable import Configuration
@testable import Control
@testable import Daemon

/// What the control socket reports of future shows.
struct ScheduleJSONTests {
    private static let midnight = WallInstant(nanoseconds: 1_795_651_200_000_000_000)
    private static let day = midnight..<midnight + .seconds(86_400)

    private static func station(_ id: String, at start: String, to end: String) throws -> StationConfiguration {
        var station = StationConfiguration(
            id: id, source: StationSettings(urls: ["http://\(id)/live"], userAgent: "test"))
        let show = Show(
            id: "show", name: "Show", days: try ShowDays(parsing: ["daily"]), start: try TimeOfDay(parsing: start),
            end: .time(try TimeOfDay(parsing: end)), zone: "UTC")
        station.shows = [.init(show: show, files: .init())]
        return station
    }

    /// Three stations with one show each. The first two shows overlap, so only the first of them is recorded; the third
    /// show is later. Each station sends 10 kB a second.
    private static func schedule(free: Int64?) throws -> JSONValue {
        let stations = [
            try station("a", at: "10:00", to: "11:00"), try station("b", at: "10:30", to: "12:00"),
            try station("c", at: "12:00", to: "13:00"),
        ]
        let calendar = ShowCalendar(stations, stationsAtOnce: 1) { _ in FixedZone.utc }
        let airings = calendar.airings(overlapping: day)
        let forecast = ScheduleForecast(
            day, airings: airings, refused: calendar.refused(in: airings), continuous: [],
            rates: ["a": 10_000, "b": 10_000, "c": 10_000])
        return DaemonJSON(zone: FixedZone(offset: 3_600, identifier: "here")).schedule(
            forecast, free: free, isCut: false)
    }

    @Test("A show that cannot be recorded is marked, and each show names those at the same time")
    func refusedShow() throws {
        let shows = try #require(try Self.schedule(free: nil)["shows"]?.arrayValue)
        #expect(shows.map { $0["station"]?.stringValue } == ["a", "b", "c"])
        #expect(shows.map { $0["refused"]?.boolValue } == [false, true, false])
        #expect(shows.map { $0["overlaps"] } == [["b/show"], ["a/show"], []])
        #expect(shows[1]["record_from"] == "2026-11-26T11:30:00.000+01:00")
    }

    @Test("Of many shows at one time, each names the first twenty others") func overlapLimit() throws {
        let stations = try (10..<40).map { try Self.station("s\($0)", at: "10:00", to: "11:00") }
        let calendar = ShowCalendar(stations, stationsAtOnce: nil) { _ in FixedZone.utc }
        let airings = calendar.airings(overlapping: Self.day)
        let forecast = ScheduleForecast(Self.day, airings: airings, refused: [], continuous: [], rates: [:])
        let shows =
            DaemonJSON(zone: FixedZone.utc).schedule(forecast, free: nil, isCut: false)["shows"]?.arrayValue ?? []
        #expect(shows.count == 30 && shows.allSatisfy { $0["overlaps"]?.arrayValue?.count == 20 })
        for show in shows {
            let own = "\(show["station"]?.stringValue ?? "")/show"
            #expect(Set(show["overlaps"]?.arrayValue?.compactMap(\.stringValue) ?? []).subtracting([own]).count == 20)
        }
    }

    @Test("The schedule says when the disk will be full, if it will") func fullDisk() throws {
        // The first and the third show take one hour each. The refused show takes no space.
        let needed: Int64 = 2 * 36_000_000
        #expect(try Self.schedule(free: nil)["bytes_expected"] == .integer(needed))
        #expect(try Self.schedule(free: nil)["full_at"] == .null)
        #expect(try Self.schedule(free: needed)["full_at"] == .null)
        // There is no space for the second half of the third show.
        #expect(try Self.schedule(free: needed * 3 / 4)["full_at"] == "2026-11-26T13:30:00.000+01:00")
        #expect(try Self.schedule(free: needed * 3 / 4)["bytes_free"] == .integer(needed * 3 / 4))
    }
}

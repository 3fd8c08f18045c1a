// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import Testing

@testable import Configuration
@testable import Daemon

/// How much room recordings will take, and when they will have filled a disk.
struct ScheduleForecastTests {
    private static func at(_ hours: Double) -> WallInstant {
        WallInstant(nanoseconds: 1_795_608_000_000_000_000) + .seconds(hours * 3_600)
    }

    private static let day = at(0)..<at(24)
    /// The bytes a second of 128 and 64 kbit/s.
    private static let rates = ["fip": 16_000.0, "jazz": 8_000]
    /// The bytes of an hour of each station.
    private static let (fip, jazz): (Int64, Int64) = (57_600_000, 28_800_000)

    private static func airing(
        _ station: String, _ show: String, from start: Double, to end: Double
    ) throws -> ShowAiring {
        let window = at(start)..<at(end)
        let (days, midnight) = (try ShowDays(parsing: ["daily"]), try TimeOfDay(parsing: "00:00"))
        return ShowAiring(
            station: station,
            show: Show(
                id: show, name: show, days: days, start: midnight, end: .length(.seconds(3_600)),
                zone: "UTC"),
            airing: Airing(show: show, date: CalendarDate(dayNumber: 20_000), broadcast: window, recording: window))
    }

    private static func forecast(
        _ airings: [ShowAiring], refused: Set<UseKey> = [], continuous: [String] = []
    ) -> ScheduleForecast {
        ScheduleForecast(day, airings: airings, refused: refused, continuous: continuous, rates: rates)
    }

    @Test("Each show takes its own room, and so does a station that is always recorded") func room() throws {
        let shows = [
            try Self.airing("fip", "a", from: 1, to: 2), try Self.airing("fip", "b", from: 1, to: 3),
            try Self.airing("jazz", "c", from: 5, to: 6),
        ]
        let forecast = Self.forecast(shows, continuous: ["jazz"])
        #expect(forecast.bytes(of: shows[1]) == 2 * Self.fip)
        #expect(forecast.bytes(ofContinuous: "jazz") == 24 * Self.jazz)
        #expect(forecast.bytes == 3 * Self.fip + 25 * Self.jazz && forecast.stationsOfUnknownRate.isEmpty)
    }

    @Test("Refused shows and the parts of shows outside the day take no room") func outsideDay() throws {
        let begun = try Self.airing("fip", "a", from: -1, to: 1)
        let last = try Self.airing("fip", "b", from: 23, to: 26)
        let refused = try Self.airing("jazz", "c", from: 5, to: 6)
        let forecast = Self.forecast([begun, refused, last], refused: [refused.key])
        #expect(forecast.bytes == 2 * Self.fip && forecast.bytes(of: begun) == 2 * Self.fip)
    }

    @Test("A manual recording takes room until its end") func manual() throws {
        let manual = [
            ("fip", Self.at(-1)..<Self.at(2)),
            ("new", Self.at(-1)..<Self.at(2)),
        ]
        let forecast = ScheduleForecast(
            Self.day, airings: [], refused: [], continuous: [], manual: manual, rates: Self.rates)
        #expect(forecast.bytes == 2 * Self.fip && forecast.stationsOfUnknownRate == ["new"])
    }

    @Test("Stations whose bit rate is unknown are named") func unknownRate() throws {
        let shows = [try Self.airing("new", "a", from: 1, to: 2), try Self.airing("fip", "b", from: 1, to: 2)]
        let forecast = Self.forecast(shows, continuous: ["other"])
        #expect(forecast.stationsOfUnknownRate == ["new", "other"] && forecast.bytes == Self.fip)
        #expect(forecast.bytes(of: shows[0]) == nil && forecast.bytes(ofContinuous: "other") == nil)
    }

    @Test("A disk is full at the moment at which its room is used up") func fullDisk() throws {
        let shows = [try Self.airing("fip", "a", from: 2, to: 4), try Self.airing("fip", "b", from: 3, to: 5)]
        let forecast = Self.forecast(shows, continuous: ["jazz"])
        // There is room for two hours of the continuous station alone, one hour of it with one show, and half an hour
        // with both shows.
        let free = 2 * Self.jazz + (Self.jazz + Self.fip) + (Self.jazz + 2 * Self.fip) / 2
        let end = try #require(forecast.timeOfFullDisk(free: free))
        #expect(abs((end - Self.at(3.5)).inSeconds) < 1)
        #expect(forecast.timeOfFullDisk(free: 0) == Self.at(0))
        #expect(
            forecast.timeOfFullDisk(free: forecast.bytes) == nil
                && forecast.timeOfFullDisk(free: forecast.bytes - 1_000) != nil)
        #expect(Self.forecast([]).timeOfFullDisk(free: 0) == nil)
    }
}

// SPDX-License-Identifier: MIT

import Configuration
import Instants
import RadioCore
import TestSupport
import Testing

/// Airings from 1990 to 2040, compared with clocks that are read minute by minute.
@Suite struct AiringOracleTests {
    private static let span = WallInstant("1990-01-10T00:00:00Z")..<WallInstant("2040-12-20T00:00:00Z")
    private static let minute: Int64 = 60_000_000_000

    @Test("Airings around every clock change are at the times that clocks show", arguments: LawZone.all)
    func clockChanges(zone: LawZone) throws {
        #expect(zone.changes.count > 15)
        for change in zone.changes { try check(ClockWalk(zone, around: change.at, days: 5), zone) }
    }

    @Test("Airings on other days are at the times that clocks show", arguments: LawZone.all)
    func otherDays(zone: LawZone) throws {
        var random = SplitMix64(seed: 3)
        for year in stride(from: 0, to: 50, by: 2) {
            let second = 631_152_000 + Int64(year) * 31_557_600 + Int64.random(in: 0..<31_557_600, using: &random)
            try check(ClockWalk(zone, around: second, days: 4), zone)
        }
    }

    private func check(_ walk: ClockWalk, _ zone: LawZone) throws {
        #expect(walk.dates.count >= 3)
        let times = [
            (0, 30), (1410, 15), (60, 120), (90, 90), (120, 150), (135, 105), (150, 150), (170, 200), (1200, 1320),
            (1430, 5), (720, 719),
        ]
        for (start, end) in times {
            let show = try show(start, .time(time(end)))
            for date in walk.dates {
                let expected = walk.broadcast(on: date, from: start, to: end)
                let found = airing(of: show, on: date, zone)
                #expect(found?.broadcast == expected.map(Self.instants), "\(zone.identifier) \(date) \(start)-\(end)")
            }
        }
    }

    /// The airing of a date, found with the query that schedules use.
    private func airing(of show: Show, on date: CalendarDate, _ zone: LawZone) -> Airing? {
        var show = show
        (show.validFrom, show.validUntil) = (date, date)
        let noon = WallInstant(nanoseconds: date.dayNumber * 86_400_000_000_000 + 720 * Self.minute)
        let airings = show.airings(overlapping: noon - .seconds(3 * 86_400)..<noon + .seconds(3 * 86_400), in: zone)
        #expect(airings.count <= 1 && airings.allSatisfy { $0.date == date && $0.recording == $0.broadcast })
        return airings.first
    }

    @Test("A daily show never repeats a date, never overlaps itself and misses no date", arguments: LawZone.all)
    func dailyShow(zone: LawZone) throws {
        for start in [135, 1415] {
            let show = try show(start, .length(.seconds(23 * 3600)))
            let airings = show.airings(overlapping: Self.span, in: zone)
            let dates = airings.map(\.date)
            let isApia = zone.identifier == LawZone.apia.identifier
            let missing = try CalendarDate(parsing: "2011-12-30")
            let gap = dates.firstIndex(of: missing)
            #expect((gap == nil) == isApia)
            let days = try #require(dates.last).dayNumber - (try #require(dates.first)).dayNumber + 1
            #expect(Int(days) == dates.count + (isApia ? 1 : 0) && dates.count > 18_600)
            var areInOrder = true
            for (airing, next) in zip(airings, airings.dropFirst()) {
                areInOrder =
                    areInOrder && airing.date < next.date
                    && airing.broadcast.upperBound <= next.broadcast.lowerBound
            }
            #expect(areInOrder, "\(zone.identifier) \(start)")
        }
    }

    @Test(
        "A query finds exactly the airings that overlap its range", arguments: [LawZone.berlin, .apia, .acrossMidnight])
    func queries(zone: LawZone) throws {
        var random = SplitMix64(seed: 11)
        let shows = try (0..<12).map { number in
            let end: Show.End =
                number % 3 == 0
                ? .time(try time(.random(in: 0..<1440, using: &random)))
                : .length(.seconds(.random(in: 60...400_000, using: &random)))
            var show = try show(.random(in: 0..<1440, using: &random), end)
            show.days = try ShowDays(parsing: [
                ["daily", "fri-sun", "last sat", "every 3rd wed from 2009-01-01"][number % 4]
            ])
            show.early = .seconds(.random(in: 0...400_000, using: &random))
            show.late = .seconds(.random(in: 0...400_000, using: &random))
            return show
        }
        let years = WallInstant("2010-01-01T00:00:00Z")..<WallInstant("2013-01-01T00:00:00Z")
        for show in shows {
            let all = show.airings(overlapping: years, in: zone)
            for _ in 0..<30 {
                let start = WallInstant("2011-06-01T00:00:00Z") + .seconds(.random(in: 0..<20_000_000, using: &random))
                let range = start..<start + .seconds(.random(in: 0..<2_000_000, using: &random))
                let expected = all.filter { $0.recording.overlaps(range) }
                #expect(show.airings(overlapping: range, in: zone) == (range.isEmpty ? [] : expected))
            }
        }
    }

    private func show(_ start: Int, _ end: Show.End) throws -> Show {
        Show(
            id: "show", name: "Show", days: try ShowDays(parsing: ["daily"]), start: try time(start), end: end,
            zone: "here")
    }

    private func time(_ minute: Int) throws -> TimeOfDay {
        let (hours, minutes) = (minute / 60, minute % 60)
        return try TimeOfDay(parsing: "\(hours < 10 ? "0" : "")\(hours):\(minutes < 10 ? "0" : "")\(minutes)")
    }

    private static func instants(_ minutes: Range<Int64>) -> Range<WallInstant> {
        WallInstant(nanoseconds: minutes.lowerBound * minute)..<WallInstant(nanoseconds: minutes.upperBound * minute)
    }
}

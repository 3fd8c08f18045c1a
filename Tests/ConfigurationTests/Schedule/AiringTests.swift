// SPDX-License-Identifier: MIT

import Configuration
import Instants
import RadioCore
import TestSupport
import Testing

@Suite struct AiringTests {
    /// A daily show in a zone: its start, its end, and its airings on `dates` as local start and end.
    private struct Case: Sendable {
        var zone: TableZone
        var start: String
        var end: String
        var dates: ClosedRange<String>
        var expected: [String]
    }

    @Test(
        "Airings are at the times that local clocks show",
        arguments: [
            Case(
                zone: .berlin, start: "20:00", end: "22:30", dates: "2026-11-21"..."2026-11-22",
                expected: [
                    "2026-11-21T20:00:00+01:00 2026-11-21T22:30:00+01:00",
                    "2026-11-22T20:00:00+01:00 2026-11-22T22:30:00+01:00",
                ]),
            Case(
                zone: .berlin, start: "23:00", end: "01:00", dates: "2026-12-31"..."2026-12-31",
                expected: ["2026-12-31T23:00:00+01:00 2027-01-01T01:00:00+01:00"]),
            Case(
                zone: .berlin, start: "06:00", end: "06:00", dates: "2026-11-21"..."2026-11-21",
                expected: ["2026-11-21T06:00:00+01:00 2026-11-22T06:00:00+01:00"]),
            Case(
                zone: .berlin, start: "20:00:00.250", end: "2h", dates: "2026-11-21"..."2026-11-21",
                expected: ["2026-11-21T20:00:00.25+01:00 2026-11-21T22:00:00.25+01:00"]),
            // Clocks go forward from 02:00 to 03:00.
            Case(
                zone: .berlin, start: "02:30", end: "1h", dates: "2026-03-28"..."2026-03-30",
                expected: [
                    "2026-03-28T02:30:00+01:00 2026-03-28T03:30:00+01:00",
                    "2026-03-29T03:00:00+02:00 2026-03-29T04:00:00+02:00",
                    "2026-03-30T02:30:00+02:00 2026-03-30T03:30:00+02:00",
                ]),
            Case(
                zone: .berlin, start: "01:00", end: "02:30", dates: "2026-03-29"..."2026-03-29",
                expected: ["2026-03-29T01:00:00+01:00 2026-03-29T03:00:00+02:00"]),
            Case(
                zone: .berlin, start: "02:15", end: "03:15", dates: "2026-03-29"..."2026-03-29",
                expected: ["2026-03-29T03:00:00+02:00 2026-03-29T03:15:00+02:00"]),
            Case(
                zone: .berlin, start: "02:00", end: "02:00", dates: "2026-03-28"..."2026-03-29",
                expected: [
                    "2026-03-28T02:00:00+01:00 2026-03-29T03:00:00+02:00",
                    "2026-03-29T03:00:00+02:00 2026-03-30T02:00:00+02:00",
                ]),
            // The clocks skip the whole show.
            Case(zone: .berlin, start: "02:15", end: "02:45", dates: "2026-03-29"..."2026-03-29", expected: []),
            Case(
                zone: .berlin, start: "00:30", end: "4h", dates: "2026-03-29"..."2026-03-29",
                expected: ["2026-03-29T00:30:00+01:00 2026-03-29T05:30:00+02:00"]),
            // Clocks go back from 03:00 to 02:00.
            Case(
                zone: .berlin, start: "02:30", end: "1h", dates: "2026-10-25"..."2026-10-25",
                expected: ["2026-10-25T02:30:00+02:00 2026-10-25T02:30:00+01:00"]),
            Case(
                zone: .berlin, start: "01:00", end: "02:30", dates: "2026-10-25"..."2026-10-25",
                expected: ["2026-10-25T01:00:00+02:00 2026-10-25T02:30:00+02:00"]),
            Case(
                zone: .berlin, start: "02:30", end: "03:00", dates: "2026-10-25"..."2026-10-25",
                expected: ["2026-10-25T02:30:00+02:00 2026-10-25T03:00:00+01:00"]),
            Case(
                zone: .berlin, start: "02:30", end: "02:15", dates: "2026-10-25"..."2026-10-25",
                expected: ["2026-10-25T02:30:00+02:00 2026-10-26T02:15:00+01:00"]),
            // Clocks go back half an hour at 02:00, and forward at 02:00.
            Case(
                zone: .lordHowe, start: "01:45", end: "02:15", dates: "2026-04-05"..."2026-04-05",
                expected: ["2026-04-05T01:45:00+11:00 2026-04-05T02:15:00+10:30"]),
            Case(
                zone: .lordHowe, start: "02:10", end: "1h", dates: "2026-10-04"..."2026-10-04",
                expected: ["2026-10-04T02:30:00+11:00 2026-10-04T03:30:00+11:00"]),
            // Midnight does not exist on one date, and comes an hour later on the other.
            Case(
                zone: .saoPaulo, start: "00:00", end: "01:30", dates: "2018-11-03"..."2018-11-04",
                expected: [
                    "2018-11-03T00:00:00-03:00 2018-11-03T01:30:00-03:00",
                    "2018-11-04T01:00:00-02:00 2018-11-04T01:30:00-02:00",
                ]),
            Case(
                zone: .saoPaulo, start: "23:30", end: "00:00", dates: "2019-02-16"..."2019-02-16",
                expected: ["2019-02-16T23:30:00-02:00 2019-02-17T00:00:00-03:00"]),
            // One of the days does not exist.
            Case(
                zone: .apia, start: "20:00", end: "20:00", dates: "2011-12-28"..."2011-12-31",
                expected: [
                    "2011-12-28T20:00:00-10:00 2011-12-29T20:00:00-10:00",
                    "2011-12-29T20:00:00-10:00 2011-12-31T20:00:00+14:00",
                    "2011-12-31T20:00:00+14:00 2012-01-01T20:00:00+14:00",
                ]),
            Case(
                zone: .apia, start: "23:00", end: "2h", dates: "2011-12-29"..."2011-12-30",
                expected: ["2011-12-29T23:00:00-10:00 2011-12-31T01:00:00+14:00"]),
            // The zone begins with local mean time, and its clocks change at an odd second.
            Case(
                zone: .oldTime, start: "11:10:30", end: "11:20", dates: "1990-06-01"..."1990-06-01",
                expected: ["1990-06-01T11:17:00+01:00 1990-06-01T11:20:00+01:00"]),
        ])
    private func localTimes(example: Case) throws {
        var show = try show("daily", example.start, example.end)
        show.validFrom = try CalendarDate(parsing: example.dates.lowerBound)
        show.validUntil = try CalendarDate(parsing: example.dates.upperBound)
        let noon = WallInstant(example.dates.lowerBound + "T12:00:00Z")
        let airings = show.airings(overlapping: noon - .seconds(604_800)..<noon + .seconds(604_800), in: example.zone)
        let expected = example.expected.map { text in
            let parts = text.split(separator: " ").map { WallInstant(String($0)) }
            return parts[0]..<parts[1]
        }
        #expect(airings.map(\.broadcast) == expected)
    }

    @Test("The local date alone decides whether a show airs") func localDate() throws {
        var show = try show("2026-11-21..2026-11-25", "23:30", "1h")
        show.validFrom = try CalendarDate(parsing: "2026-11-22")
        show.validUntil = try CalendarDate(parsing: "2026-11-24")
        show.skipped = [try CalendarDate(parsing: "2026-11-23")]
        let month = WallInstant("2026-11-01T00:00:00Z")..<WallInstant("2026-12-01T00:00:00Z")
        for zone in [TableZone.berlin, .kathmandu, .saoPaulo, .apia] {
            let airings = show.airings(overlapping: month, in: zone)
            #expect(airings.map(\.date.day) == [22, 24])
            for airing in airings {
                let start = CivilTime(airing.broadcast.lowerBound, in: zone)
                #expect(CalendarDate(start) == airing.date && start.hour == 23 && start.minute == 30)
                #expect(airing.show == "id")
            }
        }
    }

    @Test("A recording adds margins to the broadcast, and queries are about the recording") func margins() throws {
        var show = try show("2026-11-21", "20:00", "22:00")
        show.early = .seconds(300)
        show.late = .seconds(600)
        let zone = FixedZone.utc
        let airing = try #require(show.nextAiring(after: WallInstant("2026-11-21T19:55:00Z"), in: zone))
        #expect(airing.broadcast == WallInstant("2026-11-21T20:00:00Z")..<WallInstant("2026-11-21T22:00:00Z"))
        #expect(airing.recording == WallInstant("2026-11-21T19:55:00Z")..<WallInstant("2026-11-21T22:10:00Z"))
        #expect(show.nextAiring(after: WallInstant("2026-11-21T19:55:00.001Z"), in: zone) == nil)
        for (start, end, count) in [
            ("19:00:00", "19:55:00", 0), ("19:00:00", "19:55:01", 1), ("22:09:59", "23:00:00", 1),
            ("22:10:00", "23:00:00", 0), ("20:30:00", "20:30:00", 0), ("20:30:00", "20:30:01", 1),
        ] {
            let range = WallInstant("2026-11-21T\(start)Z")..<WallInstant("2026-11-21T\(end)Z")
            #expect(show.airings(overlapping: range, in: zone).count == count, "\(start) \(end)")
        }
        show.early = .seconds(-300)
        show.late = .seconds(-86_400)
        #expect(show.nextAiring(after: WallInstant("2026-11-01T00:00:00Z"), in: zone)?.recording == airing.broadcast)
    }

    @Test("Clocks that go across midnight, forward or back, hide no airing") func acrossMidnight() throws {
        let zone = LawZone.acrossMidnight
        // At 23:30 on 28 March clocks go forward to 00:30 on 29 March.
        let change = WallInstant("2026-03-29T04:30:00Z")
        let skipped = try #require(try show("daily", "23:45", "1h").nextAiring(after: change, in: zone))
        #expect(skipped.date.description == "2026-03-28" && skipped.broadcast.lowerBound == change)
        // At 00:30 on 25 October clocks go back to 23:30 on 24 October.
        let show = try show("daily", "00:10", "2h")
        let range = WallInstant("2026-10-25T04:40:00Z")..<WallInstant("2026-10-25T04:50:00Z")
        #expect(CivilTime(range.upperBound, in: zone).day == 24)
        #expect(show.airings(overlapping: range, in: zone).map(\.date.description) == ["2026-10-25"])
        #expect(show.nextAiring(after: range.lowerBound, in: zone)?.date.description == "2026-10-26")
    }

    @Test("No instant traps, even at the ends of time, and no length is too long") func endsOfTime() throws {
        let ends = [Int64.min, .min + 1, -1, 0, .max - 1, .max].map(WallInstant.init(nanoseconds:))
        let lengths: [Duration] = [.seconds(-1), .zero, .nanoseconds(1), .seconds(604_800), .seconds(Int64.max)]
        for length in lengths {
            var show = try show("first sun", "20:00", "1h")
            show.end = .length(length)
            show.early = length
            show.late = length
            for instant in ends {
                let next = show.nextAiring(after: instant, in: TableZone.berlin)
                #expect(length > .zero || next == nil)
                #expect(show.airings(overlapping: instant..<instant, in: TableZone.berlin).isEmpty)
            }
        }
        let show = try show("first sun", "20:00", "22:00")
        let all = show.airings(overlapping: ends[0]..<ends[5], in: FixedZone.utc)
        #expect(all.count == 584 * 12)
    }

    private func show(_ days: String, _ start: String, _ end: String) throws -> Show {
        Show(
            id: "id", name: "Name", days: try ShowDays(parsing: [days]), start: try TimeOfDay(parsing: start),
            end: try (try? TimeOfDay(parsing: end)).map { .time($0) } ?? .length(try HumanDuration.parse(end)),
            zone: "here")
    }
}

extension Show {
    /// The first airing whose recording begins at that time or later, within the next months.
    func nextAiring(after instant: WallInstant, in zone: any TimeZoneRules) -> Airing? {
        let months = instant..<max(instant, instant + .seconds(200 * 86_400))
        return airings(overlapping: months, in: zone).first { $0.recording.lowerBound >= instant }
    }
}

// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import Testing

/// When shows are on.
struct ShowTests {
    private static func show(_ days: String, _ start: String, _ end: Show.End) throws -> Show {
        Show(
            id: "show", name: "Show", days: try ShowDays(parsing: [days]), start: try TimeOfDay(parsing: start),
            end: end, zone: "")
    }

    private static func times(_ show: Show, _ from: String, _ to: String, _ zone: TableZone) -> [String] {
        show.airings(overlapping: WallInstant(from)..<WallInstant(to), in: zone).map { airing in
            let (start, end) = (airing.broadcast.lowerBound, airing.broadcast.upperBound)
            return "\(CivilTime(start, in: zone).rfc3339.prefix(19)) \((end - start).components.seconds / 60)"
        }
    }

    @Test func `a weekday show, with an early start and a late end`() throws {
        var show = try Self.show("mon-fri", "07:00", .length(.seconds(7_200)))
        show.early = .seconds(60)
        show.late = .seconds(300)
        show.skipped = [try CalendarDate(parsing: "2026-11-24")]
        show.validUntil = try CalendarDate(parsing: "2026-11-26")
        #expect(
            Self.times(show, "2026-11-20T12:00:00Z", "2026-12-20T00:00:00Z", .berlin)
                == ["2026-11-23T07:00:00 120", "2026-11-25T07:00:00 120", "2026-11-26T07:00:00 120"])
        let airing = try #require(show.nextAiring(from: WallInstant("2026-11-23T05:59:01Z"), in: TableZone.berlin))
        #expect("\(airing.date)" == "2026-11-25")
        #expect(airing.recording.lowerBound == WallInstant("2026-11-25T05:59:00Z"))
        #expect(airing.recording.upperBound == WallInstant("2026-11-25T08:05:00Z"))
        #expect(show.nextAiring(from: WallInstant("2026-11-26T06:00:00Z"), in: TableZone.berlin) == nil)
    }

    @Test func `one under way counts as overlapping until its recording is over`() throws {
        var show = try Self.show("daily", "23:00", .time(try TimeOfDay(parsing: "01:00")))
        show.late = .seconds(60)
        let during = Self.times(show, "2026-11-23T23:30:00Z", "2026-11-23T23:31:00Z", .berlin)
        #expect(during == ["2026-11-23T23:00:00 120"])
        #expect(Self.times(show, "2026-11-24T00:00:59Z", "2026-11-24T00:02:00Z", .berlin).count == 1)
        #expect(Self.times(show, "2026-11-24T00:01:00Z", "2026-11-24T00:02:00Z", .berlin).isEmpty)
    }

    @Test func `clock changes`() throws {
        let nightly = try Self.show("daily", "02:30", .length(.seconds(3_600)))
        // Skipped: the first instant after the change. Twice: the first time.
        #expect(
            Self.times(nightly, "2026-03-28T12:00:00Z", "2026-03-29T12:00:00Z", .berlin) == ["2026-03-29T03:00:00 60"])
        #expect(
            Self.times(nightly, "2026-10-24T12:00:00Z", "2026-10-25T12:00:00Z", .berlin) == ["2026-10-25T02:30:00 60"])
        #expect(
            nightly.airings(
                overlapping: WallInstant("2026-10-24T12:00:00Z")..<WallInstant("2026-10-25T12:00:00Z"),
                in: TableZone.berlin)[0].broadcast.lowerBound == WallInstant("2026-10-25T00:30:00Z"))
        // Two to four by the clock: an hour less, and an hour more.
        let byClock = try Self.show("daily", "02:00", .time(try TimeOfDay(parsing: "04:00")))
        #expect(
            Self.times(byClock, "2026-03-28T12:00:00Z", "2026-03-29T12:00:00Z", .berlin) == ["2026-03-29T03:00:00 60"])
        #expect(
            Self.times(byClock, "2026-10-24T12:00:00Z", "2026-10-25T12:00:00Z", .berlin) == ["2026-10-25T02:00:00 180"])
        // Half an hour, midnight, and a day that does not exist.
        #expect(
            Self.times(nightly, "2026-10-03T12:00:00Z", "2026-10-04T12:00:00Z", .lordHowe)
                == ["2026-10-04T02:30:00 60"])
        let midnight = try Self.show("daily", "00:00", .length(.seconds(600)))
        #expect(
            Self.times(midnight, "2018-11-03T12:00:00Z", "2018-11-04T12:00:00Z", .saoPaulo)
                == ["2018-11-04T01:00:00 10"])
        let noon = try Self.show("daily", "12:00", .length(.seconds(600)))
        #expect(
            Self.times(noon, "2011-12-28T12:00:00Z", "2012-01-01T12:00:00Z", .apia)
                == [
                    "2011-12-28T12:00:00 10", "2011-12-29T12:00:00 10", "2011-12-31T00:00:00 10",
                    "2011-12-31T12:00:00 10", "2012-01-01T12:00:00 10",
                ])
    }

    /// Minute by minute through all changes of all zones: the show begins when clocks show its time for the first time
    /// on that date, or jump over it.
    @Test(arguments: ["00:00", "01:30", "02:00", "02:15", "02:30", "23:45"]) func `starts are those of a clock on the wall`(
        start: String
    ) throws {
        let show = try Self.show("daily", start, .length(.seconds(60)))
        let wanted = try TimeOfDay(parsing: start).nanoseconds / 60_000_000_000
        for zone in [TableZone.berlin, .lordHowe, .saoPaulo, .kathmandu] {
            for change in zone.changes {
                let from = WallInstant(nanoseconds: (change.at / 60 * 60 - 2 * 86_400) * 1_000_000_000)
                var expected: [WallInstant] = []
                var seen: Set<CalendarDate> = []
                for minute in 0..<4 * 1_440 {
                    let now = from + .seconds(minute * 60)
                    let (clock, before) = (CivilTime(now, in: zone), CivilTime(now - .seconds(60), in: zone))
                    let shown = Int64(clock.hour * 60 + clock.minute)
                    let last = Int64(before.hour * 60 + before.minute)
                    let isNewDay = CalendarDate(clock) != CalendarDate(before)
                    let isJump = shown > wanted && (isNewDay ? -1 : last) < wanted
                    guard shown == wanted || isJump, seen.insert(CalendarDate(clock)).inserted else { continue }
                    expected.append(now)
                }
                let airings = show.airings(overlapping: from..<from + .seconds(4 * 86_400), in: zone)
                let starts = airings.map(\.broadcast.lowerBound).filter { $0 >= from }
                #expect(starts == expected.filter { $0 < from + .seconds(4 * 86_400) }, "\(zone.identifier) \(start)")
            }
        }
    }

    @Test func `the ends of time do not matter`() throws {
        let show = try Self.show("daily", "02:30", .length(.seconds(3_600)))
        for instant in [Int64.min, .max] {
            let here = WallInstant(nanoseconds: instant)
            _ = show.nextAiring(from: here, in: FixedZone.utc)
            #expect(show.airings(overlapping: here..<here, in: FixedZone.utc).isEmpty)
        }
        #expect(show.airings(overlapping: WallInstant("1970-01-01T00:00:00Z")..<WallInstant("1970-01-03T00:00:00Z"), in: FixedZone.utc).count == 2)
    }
}

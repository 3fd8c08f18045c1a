// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import TestSupport
import Testing

@Suite struct TimeOfDayTests {
    @Test(
        "The next time of day is when clocks next show it",
        arguments: [
            (.berlin, "20:00", "2026-11-21T12:00:00+01:00", "2026-11-21T20:00:00+01:00"),
            (.berlin, "20:00", "2026-11-21T20:00:00+01:00", "2026-11-21T20:00:00+01:00"),
            (.berlin, "20:00", "2026-11-21T20:00:00.000000001+01:00", "2026-11-22T20:00:00+01:00"),
            (.berlin, "00:00", "2026-11-21T12:00:00+01:00", "2026-11-22T00:00:00+01:00"),
            // A skipped time is replaced by the instant of the change, also if that is the present instant.
            (.berlin, "02:30", "2026-03-29T01:00:00+01:00", "2026-03-29T03:00:00+02:00"),
            (.berlin, "02:30", "2026-03-29T03:00:00+02:00", "2026-03-29T03:00:00+02:00"),
            (.berlin, "02:30", "2026-03-29T03:00:00.000000001+02:00", "2026-03-30T02:30:00+02:00"),
            // If a time comes twice, the first occurrence that has not passed counts.
            (.berlin, "02:30", "2026-10-25T01:00:00+02:00", "2026-10-25T02:30:00+02:00"),
            (.berlin, "02:30", "2026-10-25T02:45:00+02:00", "2026-10-25T02:30:00+01:00"),
            (.berlin, "02:30", "2026-10-25T02:30:00.5+01:00", "2026-10-26T02:30:00+01:00"),
            (.saoPaulo, "00:00", "2018-11-03T12:00:00-03:00", "2018-11-04T01:00:00-02:00"),
            (.apia, "08:00", "2011-12-29T12:00:00-10:00", "2011-12-31T00:00:00+14:00"),
            (.lordHowe, "01:45", "2026-04-05T01:50:00+11:00", "2026-04-05T01:45:00+10:30"),
        ] as [(TableZone, String, String, String)])
    func nextTime(zone: TableZone, time: String, now: String, next: String) throws {
        let found = try TimeOfDay(parsing: time).next(from: WallInstant(now), in: zone)
        #expect(found == WallInstant(next), "\(found.rfc3339(in: zone))")
    }

    @Test(
        "A time of day given for a recording is in it, or as near to it as possible",
        arguments: [
            ("20:15", "2026-11-21T20:15:00+01:00"),
            ("20:00", "2026-11-21T20:00:00+01:00"),
            ("19:59:50", "2026-11-21T19:59:50+01:00"),
            ("20:31", "2026-11-21T20:31:00+01:00"),
            ("00:10", "2026-11-22T00:10:00+01:00"),
            ("12:00", "2026-11-21T12:00:00+01:00"),
        ])
    func nearestTime(time: String, expected: String) throws {
        let (start, end) = (WallInstant("2026-11-21T20:00:00+01:00"), WallInstant("2026-11-21T20:30:00+01:00"))
        let found = try TimeOfDay(parsing: time).nearest(from: start, to: end, in: TableZone.berlin)
        #expect(found == WallInstant(expected), "\(found.rfc3339(in: TableZone.berlin))")
    }

    @Test("A time of day that comes after a recording is not taken for one of the day before")
    func laterThatDay() throws {
        let start = WallInstant("2026-11-21T05:54:23+01:00")
        let found = try TimeOfDay(parsing: "23:59").nearest(from: start, to: start + .seconds(20), in: TableZone.berlin)
        #expect(found == WallInstant("2026-11-21T23:59:00+01:00"), "\(found.rfc3339(in: TableZone.berlin))")
    }

    @Test("Instants at the ends of the number range do not trap") func numberRange() throws {
        for nanoseconds in [Int64.min, .min + 1, -1, 0, .max - 1, .max] {
            let (time, now) = (try TimeOfDay(parsing: "20:00"), WallInstant(nanoseconds: nanoseconds))
            _ = time.next(from: now, in: TableZone.berlin)
            _ = time.nearest(from: now, to: now, in: TableZone.berlin)
        }
    }
}

// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import TestSupport
import Testing

@Suite struct PeriodAlignmentTests {
    private static let hour = Duration.seconds(3600)

    @Test(
        "Period boundaries are at the times that local clocks show",
        arguments: [
            (TableZone.kathmandu, "1h", "2026-11-21T12:22:55.5+05:45", ["2026-11-21T13:00:00+05:45"]),
            (.kathmandu, "5s", "2026-11-21T12:22:54.999999999+05:45", ["2026-11-21T12:22:55+05:45"]),
            (.kathmandu, "5s", "2026-11-21T12:22:55+05:45", ["2026-11-21T12:23:00+05:45"]),
            // The rest of the day after the last whole period is a segment of its own.
            (
                .kathmandu, "7h", "2026-11-21T20:00:00+05:45",
                ["2026-11-21T21:00:00+05:45", "2026-11-22T00:00:00+05:45"]
            ),
            (.kathmandu, "1d", "2026-11-21T20:00:00+05:45", ["2026-11-22T00:00:00+05:45"]),
            // Clocks go forward: 02:00 does not exist, and 03:00 takes its place.
            (.berlin, "1h", "2026-03-29T00:59:00+01:00", ["2026-03-29T01:00:00+01:00", "2026-03-29T03:00:00+02:00"]),
            (.berlin, "2h", "2026-03-29T00:30:00+01:00", ["2026-03-29T03:00:00+02:00", "2026-03-29T04:00:00+02:00"]),
            (.berlin, "45m", "2026-03-29T01:45:00+01:00", ["2026-03-29T03:00:00+02:00", "2026-03-29T03:45:00+02:00"]),
            (.berlin, "3h", "2026-03-29T00:30:00+01:00", ["2026-03-29T03:00:00+02:00", "2026-03-29T06:00:00+02:00"]),
            (.berlin, "1d", "2026-03-28T12:00:00+01:00", ["2026-03-29T00:00:00+01:00", "2026-03-30T00:00:00+02:00"]),
            // Clocks go back: 02:00 comes twice.
            (
                .berlin, "1h", "2026-10-25T01:30:00+02:00",
                ["2026-10-25T02:00:00+02:00", "2026-10-25T02:00:00+01:00", "2026-10-25T03:00:00+01:00"]
            ),
            (.berlin, "3h", "2026-10-25T01:30:00+02:00", ["2026-10-25T03:00:00+01:00"]),
            // Clocks go back from 02:00 to 01:30, and forward from 02:00 to 02:30.
            (
                .lordHowe, "1h", "2026-04-05T00:30:00+11:00",
                ["2026-04-05T01:00:00+11:00", "2026-04-05T02:00:00+10:30", "2026-04-05T03:00:00+10:30"]
            ),
            (
                .lordHowe, "30m", "2026-04-05T01:00:00+11:00",
                ["2026-04-05T01:30:00+11:00", "2026-04-05T01:30:00+10:30", "2026-04-05T02:00:00+10:30"]
            ),
            (.lordHowe, "1h", "2026-10-04T01:30:00+10:30", ["2026-10-04T02:30:00+11:00", "2026-10-04T03:00:00+11:00"]),
            // On these dates, midnight does not exist, midnight comes an hour later, or the whole day does not exist.
            (.saoPaulo, "1d", "2018-11-03T12:00:00-03:00", ["2018-11-04T01:00:00-02:00", "2018-11-05T00:00:00-02:00"]),
            (.saoPaulo, "1d", "2019-02-16T12:00:00-02:00", ["2019-02-17T00:00:00-03:00"]),
            (
                .saoPaulo, "1h", "2019-02-16T22:30:00-02:00",
                ["2019-02-16T23:00:00-02:00", "2019-02-16T23:00:00-03:00", "2019-02-17T00:00:00-03:00"]
            ),
            (.apia, "1d", "2011-12-29T12:00:00-10:00", ["2011-12-31T00:00:00+14:00", "2012-01-01T00:00:00+14:00"]),
            (.apia, "1h", "2011-12-29T22:30:00-10:00", ["2011-12-29T23:00:00-10:00", "2011-12-31T00:00:00+14:00"]),
        ] as [(TableZone, String, String, [String])])
    func localTimes(zone: TableZone, period: String, start: String, expected: [String]) throws {
        var instant = WallInstant(start)
        for text in expected {
            instant = PeriodAlignment.nextBoundary(after: instant, period: try HumanDuration.parse(period), zone: zone)
            #expect(instant.rfc3339(in: zone) == WallInstant(text).rfc3339(in: zone))
        }
    }

    @Test("Period boundaries obey the rules around every clock change") func clockChanges() {
        for zone in TableZone.all {
            for change in zone.changes {
                let instant = WallInstant(nanoseconds: change.at * 1_000_000_000)
                for period in [1, 7, 600, 2700, 3600, 25_200, 86_400] {
                    let span = min(36_000, 20 * period)
                    AlignmentRules.check(
                        zone, period: period, from: instant - .seconds(span), upTo: instant + .seconds(span))
                }
            }
        }
    }

    @Test("Instants and periods at the ends of the number range neither trap nor loop") func numberRange() {
        for nanoseconds in [Int64.min, .min + 1, -1, 0, 1, .max - 1, .max] {
            for period in [Duration.zero, .seconds(-1), .seconds(1), .seconds(Int64.max)] {
                _ = PeriodAlignment.nextBoundary(
                    after: WallInstant(nanoseconds: nanoseconds), period: period, zone: TableZone.berlin)
            }
        }
    }
}

/// What must hold for all boundaries in a span of time, derived from the zone's offsets second by second.
enum AlignmentRules {
    static func check(_ zone: any TimeZoneRules, period: Int, from: WallInstant, upTo: WallInstant) {
        var expected: [Int64] = []
        let first = from.nanoseconds / 4_000_000_000 * 4
        let last = upTo.nanoseconds / 4_000_000_000 * 4
        var before = local(zone, first)
        // Clock changes and whole minutes fall on every fourth second, so long periods need no finer steps.
        let step: Int64 = period % 4 == 0 ? 4 : 1
        for second in stride(from: first + step, through: last, by: Int(step)) {
            let now = local(zone, second)
            // A boundary is at the current local second or among the local seconds skipped just before it.
            let skipped = before + 1 <= now ? before + 1...now : now...now
            if skipped.contains(where: { isBoundary($0, period) }) { expected.append(second) }
            before = now
        }
        var found: [Int64] = []
        var instant = WallInstant(nanoseconds: first * 1_000_000_000)
        while true {
            let next = PeriodAlignment.nextBoundary(after: instant, period: .seconds(period), zone: zone)
            #expect(next > instant)
            guard next > instant, next.nanoseconds <= last * 1_000_000_000 else { break }
            #expect(next.nanoseconds % 1_000_000_000 == 0)
            found.append(next.nanoseconds / 1_000_000_000)
            instant = next
        }
        #expect(found == expected, "\(zone.identifier), every \(period) s from \(first)")
    }

    private static func local(_ zone: any TimeZoneRules, _ second: Int64) -> Int64 {
        second + Int64(zone.utcOffset(at: WallInstant(nanoseconds: second * 1_000_000_000)))
    }

    private static func isBoundary(_ local: Int64, _ period: Int) -> Bool {
        (local % 86_400) % Int64(period) == 0
    }
}

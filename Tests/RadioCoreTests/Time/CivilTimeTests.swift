// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import TestSupport
import Testing

@Suite struct CivilTimeTests {
    @Test(
        "Known instants have their known dates and times",
        arguments: [
            ("1970-01-01T00:00:00.000Z", 0),
            ("2026-11-21T12:22:55.123Z", 1_795_263_775_123),
            ("2000-02-29T23:59:59.999Z", 951_868_799_999),
            ("1969-12-31T23:59:59.999Z", -1),
            ("1900-03-01T00:00:00.000Z", -2_203_891_200_000),
        ])
    func knownInstants(text: String, milliseconds: Int64) {
        let instant = WallInstant(nanoseconds: milliseconds * 1_000_000)
        #expect(instant.rfc3339(in: FixedZone.utc) == text)
        #expect(CivilTime(rfc3339: text)?.instant == instant)
    }

    @Test("Every day from 1900 to 2100 follows the day before it") func everyDay() {
        var previous = CivilTime(WallInstant("1899-12-31T00:00:00Z"), utcOffset: 0)
        let end = WallInstant("2101-01-01T00:00:00Z")
        while previous.instant < end {
            let next = CivilTime(previous.instant + .seconds(86_400), utcOffset: 0)
            let isNextDay = next.month == previous.month && next.day == previous.day + 1
            let isNextMonth = next.day == 1 && next.month == previous.month % 12 + 1 && previous.day >= 28
            #expect(isNextDay || isNextMonth, "\(previous.rfc3339) \(next.rfc3339)")
            #expect(next.weekday.rawValue == previous.weekday.rawValue % 7 + 1)
            #expect(next.dayOfYear == (next.month == 1 && next.day == 1 ? 1 : previous.dayOfYear + 1))
            previous = next
        }
    }

    @Test("Conversions between civil times and instants are inverse") func inverse() {
        var random = SplitMix64(seed: 1)
        for _ in 0..<10_000 {
            let instant = WallInstant(
                nanoseconds: .random(in: -9_000_000_000_000_000_000...9_000_000_000_000_000_000, using: &random))
            let time = CivilTime(instant, utcOffset: .random(in: -86_399...86_399, using: &random))
            #expect(time.instant == instant)
            let parts = CivilTime(
                year: time.year, month: time.month, day: time.day, hour: time.hour, minute: time.minute,
                second: time.second, nanosecond: time.nanosecond, utcOffset: time.utcOffset)
            #expect(parts == time)
        }
    }

    @Test(
        "The text of a time names the offset, and the instant stays the same",
        arguments: [
            (3600, "2026-11-21T13:22:55.000+01:00"), (-12_600, "2026-11-21T08:52:55.000-03:30"),
            (20_700, "2026-11-21T18:07:55.000+05:45"), (3208, "2026-11-21T13:15:55.000+00:53"),
            (0, "2026-11-21T12:22:55.000Z"),
        ])
    func offsets(offset: Int, text: String) {
        let instant = WallInstant("2026-11-21T12:22:55Z")
        #expect(instant.rfc3339(in: FixedZone(offset: offset, identifier: "X")) == text)
        #expect(CivilTime(rfc3339: text)?.instant == instant)
    }

    @Test("Decimals beyond nanoseconds are dropped, and lower-case letters are accepted") func leniency() {
        #expect(CivilTime(rfc3339: "1970-01-01t00:00:00.1234567899z")?.instant.nanoseconds == 123_456_789)
        #expect(CivilTime(rfc3339: "1970-01-01 00:00:01.5-00:00")?.instant.nanoseconds == 1_500_000_000)
    }

    @Test(
        "Text that is not RFC 3339 is refused",
        arguments: [
            "", "2026", "2026-11-21", "2026-11-21T12:22:55", "2026-11-21T12:22Z", "2026-11-21T12:22:55+0100",
            "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-02-29T00:00:00Z", "2026-04-31T00:00:00Z",
            "2026-11-21T24:00:00Z", "2026-11-21T12:60:00Z", "2026-11-21T12:00:60Z", "2026-11-21T12:22:55.Z",
            "2026-11-21T12:22:55Z ", " 2026-11-21T12:22:55Z", "2026-11-21T12:22:55+24:00", "2026-11-21T12:22:55+01:60",
            "+026-11-21T12:22:55Z", "٢٠٢٦-11-21T12:22:55Z", "1600-01-01T00:00:00Z", "9999-01-01T00:00:00Z",
        ])
    func invalidText(text: String) {
        #expect(CivilTime(rfc3339: text) == nil)
    }
}

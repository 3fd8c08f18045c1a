// SPDX-License-Identifier: MIT

import RadioCore
import Testing

struct ShowDaysTests {
    /// The dates of 2026 that fit, as day numbers from 1 January on.
    private static func dates(_ texts: String...) throws -> [CalendarDate] {
        let days = try ShowDays(parsing: texts)
        let first = try CalendarDate(parsing: "2026-01-01")
        return (0..<365).map { first.adding(days: $0) }.filter(days.contains)
    }

    @Test func `rules for weekdays`() throws {
        #expect(try Self.dates("daily").count == 365)
        #expect(try Self.dates("mon-fri") == Self.dates("weekdays"))
        #expect(try Self.dates("sat, sun") == Self.dates("WEEKENDS"))
        #expect(try Self.dates("fri-mon") == Self.dates("fri", "saturday", "sun", "Mon"))
        #expect(try Self.dates("thu").allSatisfy { $0.weekday == .thursday })
        #expect(try Self.dates("thu").count == 53 && Self.dates("wed").count == 52)
        #expect(try Self.dates("mon-mon") == Self.dates("mon"))
    }

    @Test func `rules for months, weeks and dates`() throws {
        let firstSundays = try Self.dates("first sunday")
        #expect(firstSundays.count == 12 && firstSundays.allSatisfy { $0.day <= 7 && $0.weekday == .sunday })
        #expect(try Self.dates("1st sun") == firstSundays)
        #expect(try Self.dates("last fri").map { "\($0)" }.prefix(3) == ["2026-01-30", "2026-02-27", "2026-03-27"])
        #expect(try Self.dates("fifth sat").map(\.month) == [1, 5, 8, 10])
        #expect(
            try Self.dates("every 2nd tue from 2026-01-06").map { "\($0)" }.prefix(3)
                == ["2026-01-06", "2026-01-20", "2026-02-03"])
        #expect(
            try Self.dates("every 3rd week mon-wed from 2026-01-06").map { "\($0)" }.prefix(4)
                == ["2026-01-06", "2026-01-07", "2026-01-26", "2026-01-27"])
        #expect(try Self.dates("2026-12-24..2026-12-26", "2026-05-01").map(\.day) == [1, 24, 25, 26])
    }

    @Test(arguments: [
        ("moday", "did you mean monday?"), ("fisrt sunday", "no rule"), ("first", "no rule"), ("", "empty"),
        ("every 1st tue from 2026-01-06", "no rule"), ("every 2nd tue", "no rule"), ("2026-02-30", "no date"),
        ("2026-12-26..2026-12-24", "before"), ("2020-01-01..2026-01-01", "longer than a year"), ("mon fri", "no rule"),
        ("mon,", "empty"), ("mon-fri-sat", "no rule"), ("-", "no rule"), ("\u{0}", "no rule"),
    ]) func `what is no rule is refused with an example`(text: String, words: String) {
        #expect { try ShowDays(parsing: [text]) } throws: { error in "\(error)".contains(words) }
    }

    @Test func `dates`() throws {
        let date = try CalendarDate(parsing: "2024-02-29")
        #expect((date.year, date.month, date.day) == (2024, 2, 29) && date.weekday == .thursday)
        #expect("\(date.adding(days: 1))" == "2024-03-01" && "\(date)" == "2024-02-29")
        for text in ["2023-02-29", "24-02-29", "2024-2-29", "2024-02-29 ", "٢٠٢٤-02-29", "9999-01-01", ""] {
            #expect(throws: CalendarDate.ParseError.self) { try CalendarDate(parsing: text) }
        }
    }
}

// SPDX-License-Identifier: MIT

import Configuration
import RadioCore
import Testing

@Suite struct ShowDaysTests {
    /// January 2026 began on a Thursday, December on a Tuesday.
    @Test(
        "Show days are the days that any of the rules names",
        arguments: [
            (["mon"], "2026-01", [5, 12, 19, 26]), (["MONDAY"], "2026-01", [5, 12, 19, 26]),
            (["Tues"], "2026-01", [6, 13, 20, 27]), (["wednesday"], "2026-01", [7, 14, 21, 28]),
            (["thurs"], "2026-01", [1, 8, 15, 22, 29]), (["sat-sun"], "2026-01", [3, 4, 10, 11, 17, 18, 24, 25, 31]),
            (["weekends"], "2026-01", [3, 4, 10, 11, 17, 18, 24, 25, 31]),
            (["Sat,Sunday"], "2026-01", [3, 4, 10, 11, 17, 18, 24, 25, 31]),
            (["fri-mon"], "2026-02", [1, 2, 6, 7, 8, 9, 13, 14, 15, 16, 20, 21, 22, 23, 27, 28]),
            (["sun-sun"], "2026-02", [1, 8, 15, 22]), (["first sunday"], "2026-01", [4]),
            (["1st thu"], "2026-01", [1]), (["2nd tue"], "2026-01", [13]), (["second wed"], "2026-01", [14]),
            (["third fri"], "2026-01", [16]), (["4th wed"], "2026-01", [28]), (["fourth  Thursday"], "2026-01", [22]),
            (["fifth thu"], "2026-01", [29]), (["fifth wed"], "2026-01", []), (["5th sat"], "2026-01", [31]),
            (["last friday"], "2026-01", [30]), (["last sat"], "2026-01", [31]), (["last sun"], "2026-02", [22]),
            (["last thu"], "2026-12", [31]), (["last wed"], "2026-12", [30]),
            (["every 2nd tue from 2026-01-06"], "2026-01", [6, 20]),
            (["every other tue from 2026-01-07"], "2026-01", [20]),
            (["every second week tue from 2025-12-30"], "2026-01", [13, 27]),
            // Counting starts with the week of the date, even if that week begins before the date.
            (["every 2nd mon from 2026-01-04"], "2026-01", [12, 26]),
            (["every 2nd mon from 2026-01-05"], "2026-01", [5, 19]),
            (["every 3rd week mon-fri from 2026-01-07"], "2026-01", [7, 8, 9, 26, 27, 28, 29, 30]),
            (["every 3rd week fri-mon from 2026-01-05"], "2026-01", [5, 9, 10, 11, 26, 30, 31]),
            (["every 52nd week thu from 2025-01-02"], "2026-01", [1]),
            (["every 52nd thu from 2025-01-02"], "2027-01", []),
            (["2026-12-24"], "2026-12", [24]), (["2026-12-24..2026-12-26"], "2026-12", [24, 25, 26]),
            (["2026-12-30..2027-01-02"], "2027-01", [1, 2]), (["2026-12-24..2026-12-24"], "2026-12", [24]),
            ([" first sun ,\t2026-01-02 ", "last sat,  mon"], "2026-01", [2, 4, 5, 12, 19, 26, 31]),
        ] as [([String], String, [Int])])
    func rules(texts: [String], month: String, expected: [Int]) throws {
        let days = try ShowDays(parsing: texts)
        #expect(days.texts == texts)
        let first = try CalendarDate(parsing: month + "-01")
        let found = (0..<31).map(first.adding).filter { $0.month == first.month && days.contains($0) }.map(\.day)
        #expect(found == expected)
    }

    @Test("Rules for every week agree with the calendar") func weeklyRules() throws {
        let daily = try ShowDays(parsing: ["daily"])
        let weekdays = try ShowDays(parsing: ["weekdays"])
        let range = try ShowDays(parsing: ["mon-fri"])
        let fifths = try ShowDays(parsing: ["fifth mon, fifth tue, fifth wed, fifth thu, fifth fri, fifth sat, 5th sun"]
        )
        let start = try CalendarDate(parsing: "1999-12-25")
        for number in 0..<3000 {
            let date = start.adding(days: number)
            #expect(daily.contains(date))
            #expect(weekdays.contains(date) == (date.weekday.rawValue <= 5))
            #expect(range.contains(date) == weekdays.contains(date))
            #expect(fifths.contains(date) == (date.day >= 29))
        }
    }

    @Test("The rule for the last Sunday matches once in each month") func lastSunday() throws {
        let days = try ShowDays(parsing: ["last sunday"])
        let start = try CalendarDate(parsing: "2000-01-01")
        let found = (0..<(366 * 20)).map(start.adding).filter(days.contains)
        #expect(found.count == 240)
        for date in found { #expect(date.weekday == .sunday && date.adding(days: 7).month != date.month) }
    }

    private static let examples =
        "write for example daily, mon-fri, first sunday, every 2nd tue from 2026-01-06, or 2026-12-24"
    private static let oneDay = "write for example first sunday, last fri"
    private static let weeks = "write for example every 2nd tue from 2026-01-06"
    private static let dates = "write for example 2026-12-24 or 2026-12-24..2026-12-26"
    private static let commas = "put commas between rules, for example mon-fri, first sunday, 2026-12-24"

    private static func meant(_ nearest: String, _ word: String) -> String {
        "is not a rule: did you mean \"\(nearest)\" by \"\(word)\"? If not, \(examples)"
    }

    private static func noDay(_ date: String) -> String {
        "names \(date), but there is no such day in the years 1678 to 2261"
    }

    private static func unknown(_ word: String) -> String {
        "is not a rule for days, because of \"\(word)\": \(examples)"
    }

    @Test(
        "An invalid rule is refused, and the error says how to write the rule",
        arguments: [
            ("moday", meant("monday", "moday")), ("first Sundey", meant("sunday", "sundey")),
            ("dialy", meant("daily", "dialy")), ("frist fri", meant("first", "frist")),
            ("weekday", meant("weekdays", "weekday")), ("last frday", meant("friday", "frday")),
            ("every 2nd tue form 2026-01-06", meant("from", "form")), ("mon-fry", meant("fri", "fry")),
            ("every 2nd tuedsay from 2026-01-06", meant("tuesday", "tuedsay")), ("moday tue", meant("monday", "moday")),
            ("xyz", unknown("xyz")), ("mon-", meant("mon", "mon-")), ("mon-wed-fri", unknown("wed-fri")),
            ("-", unknown("-")),
            ("every 2md tue from 2026-01-06", unknown("2md")), ("2md", unknown("2md")), ("6x fri", unknown("6x")),
            ("4th", "has no day after \"4th\": write for example 4th friday"),
            ("last", "has no day after \"last\": write for example last friday"),
            (
                "every 2nd from 2026-01-06",
                "has no day after \"every 2nd\": write for example every 2nd friday from 2026-01-06"
            ),
            (
                "every 3rd week",
                "has no day after \"every 3rd\": write for example every 3rd friday from 2026-01-06"
            ),
            ("first mon-fri", "must have one day instead of \"mon-fri\": \(oneDay)"),
            ("last weekdays", "must have one day instead of \"weekdays\": \(oneDay)"),
            ("6th fri", "asks for the 6th of a weekday, but a month has at most five: \(oneDay)"),
            ("0th fri", "asks for the 0th of a weekday, but a month has at most five: \(oneDay)"),
            ("every", "does not say how many weeks apart: \(weeks)"),
            ("every tue", "does not say how many weeks apart: \(weeks)"),
            (
                "every 53rd tue from 2026-01-06",
                "counts weeks by \"53rd\", which must be from 2nd to 52nd: \(weeks)"
            ),
            (
                "every first tue from 2026-01-06",
                "counts weeks by \"first\", which must be from 2nd to 52nd: \(weeks)"
            ),
            ("every 2nd tue", "has no date to count from: \(weeks)"),
            ("every 2nd tue from", "has no date to count from: \(weeks)"),
            ("every 2nd tue 2026-01-06", "has no date to count from: \(weeks)"),
            ("every 2nd tue from 2026-02-30", noDay("2026-02-30")), ("2027-02-29", noDay("2027-02-29")),
            ("2026-2-1", "has no date in \"2026-2-1\": \(dates)"),
            ("2026-12-24..26", "has no date in \"26\": \(dates)"),
            ("2026-12-24...2026-12-26", "has no date in \".2026-12-26\": \(dates)"),
            ("..", "has no date in \"\": \(dates)"),
            ("2026-12-26..2026-12-24", "ends before it begins: write for example 2026-12-24..2026-12-26"),
            (
                "2026-01-01..2027-01-02",
                "spans more than 366 days: write a shorter one, for example 2026-12-24..2026-12-26"
            ),
            ("mon tue", "should end before \"tue\": \(commas)"),
            ("first sun mon", "should end before \"mon\": \(commas)"),
            ("2026-12-24 2026-12-25", "should end before \"2026-12-25\": \(commas)"),
            ("every 2nd tue from 2026-01-06 on", "should end before \"on\": \(commas)"),
        ])
    func invalidRules(rule: String, words: String) {
        // The error names the wrong rule, whatever rules surround it.
        for text in [rule, "mon, \(rule) ", "\(rule),sat"] {
            let error = #expect(throws: ShowDays.ParseError.self) { try ShowDays(parsing: ["daily", text]) }
            #expect(error?.description == "\"\(rule)\" \(words)")
        }
    }

    @Test(
        "Missing, too many and too long rules are refused",
        arguments: [
            ([], "there are no days: \(examples)"), ([""], "a rule for days is empty: \(examples)"),
            (["mon,,tue"], "a rule for days is empty: \(examples)"),
            (["mon, "], "a rule for days is empty: \(examples)"),
            (
                [String(repeating: "x", count: 101)],
                "the rule \"xxxxxxxxxxxxxxxxxxxx…\" has more than 100 bytes: \(examples)"
            ),
            ([String(repeating: "mon,", count: 100) + "tue"], "there are more than 100 rules for days: \(examples)"),
            (Array(repeating: "mon", count: 101), "there are more than 100 rules for days: \(examples)"),
        ] as [([String], String)])
    func beyondLimits(texts: [String], words: String) {
        let error = #expect(throws: ShowDays.ParseError.self) { try ShowDays(parsing: texts) }
        #expect(error?.description == words)
    }

    @Test("Rules at the limits are allowed") func atLimits() throws {
        _ = try ShowDays(parsing: Array(repeating: "mon", count: 100))
        _ = try ShowDays(parsing: [String(repeating: "mon,", count: 99) + "tue"])
        let spaces = String(repeating: " ", count: 100 - "first".count - "sun".count)
        _ = try ShowDays(parsing: ["first\(spaces)sun"])
        let year = try ShowDays(parsing: ["2026-01-01..2027-01-01"])
        #expect(year.contains(try CalendarDate(parsing: "2027-01-01")))
    }

    @Test("Every example in an error is a valid rule") func errorExamples() throws {
        _ = try ShowDays(parsing: ["daily, mon-fri, first sunday, every 2nd tue from 2026-01-06, 2026-12-24"])
        _ = try ShowDays(parsing: ["4th friday", "last fri", "2026-12-24..2026-12-26"])
    }

    @Test("No text traps the parser of rules") func randomText() {
        var random = SplitMix64(seed: 7)
        let words = [
            "every", "2nd", "from", "2026-01-06", "-", "..", "mon", "week", "last", ",", " ", "é", "\0", "99999th",
        ]
        for _ in 0..<5000 {
            let text = (0..<Int.random(in: 0...8, using: &random)).map { _ in
                (words.randomElement(using: &random) ?? "") + (Bool.random(using: &random) ? " " : "")
            }.joined()
            if let days = try? ShowDays(parsing: [text]) { _ = days.contains(CalendarDate(dayNumber: 20_000)) }
        }
    }
}

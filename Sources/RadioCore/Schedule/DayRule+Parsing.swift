// SPDX-License-Identifier: MIT

extension DayRule {
    /// The longest span of dates, in days.
    private static let longestSpan: Int64 = 366
    private static let mostWeeks: Int64 = 52

    /// Parses one rule in lower case; see ``ShowDays/init(parsing:)``.
    init(parsing text: String) throws(ShowDays.ParseError) {
        let words = text.split(separator: " ").map(String.init)
        guard let first = words.first else { throw ShowDays.ParseError("a rule for days is empty") }
        if first == "every" {
            self = try Self.weeks(words.dropFirst(), in: text)
        } else if let ordinal = Ordinal(first) {
            guard words.count == 2 else { throw Self.fault(text) }
            self = .ofMonth(ordinal, try Self.weekdays(words[1], in: text))
        } else if first.utf8.first.map({ (0x30...0x39).contains($0) }) == true {
            guard words.count == 1 else { throw Self.fault(text) }
            self = try Self.dates(first, in: text)
        } else {
            guard words.count == 1 else { throw Self.fault(text) }
            self = .weekdays(try Self.weekdays(first, in: text))
        }
    }

    /// `2nd tue from 2026-01-06`, `3rd week mon-fri from 2026-01-05`, after "every".
    private static func weeks(_ words: ArraySlice<String>, in text: String) throws(ShowDays.ParseError) -> DayRule {
        var words = words
        guard let ordinal = words.popFirst().flatMap({ Ordinal($0) }), case .number(let count) = ordinal,
            (2...mostWeeks).contains(Int64(count))
        else { throw fault(text) }
        if words.first == "week" { words.removeFirst() }
        guard words.count == 3, let days = words.popFirst(), words.popFirst() == "from", let date = words.popFirst()
        else { throw fault(text) }
        return .weeks(every: Int64(count), try weekdays(days, in: text), from: try self.date(date, in: text))
    }

    /// `2026-12-24` or `2026-12-24..2026-12-26`.
    private static func dates(_ word: String, in text: String) throws(ShowDays.ParseError) -> DayRule {
        let ends = word.split(separator: "..", omittingEmptySubsequences: false).map(String.init)
        guard (1...2).contains(ends.count) else { throw fault(text) }
        let first = try date(ends[0], in: text)
        let last = ends.count == 2 ? try date(ends[1], in: text) : first
        guard first <= last else { throw ShowDays.ParseError("in '\(text)' the last date is before the first one") }
        guard last.dayNumber - first.dayNumber < longestSpan else {
            throw ShowDays.ParseError("'\(text)' is longer than a year; use from and until for that")
        }
        return .dates(first...last)
    }

    private static func date(_ word: String, in text: String) throws(ShowDays.ParseError) -> CalendarDate {
        do {
            return try CalendarDate(parsing: word)
        } catch {
            throw ShowDays.ParseError("in '\(text)', '\(word)' is no date: \(error)")
        }
    }

    /// `mon`, `mon-fri`, `fri-mon`, `daily`, `weekdays`, `weekends`.
    private static func weekdays(_ word: String, in text: String) throws(ShowDays.ParseError) -> Set<
        CivilTime.Weekday
    > {
        switch word {
        case "daily": return Set(CivilTime.Weekday.allCases)
        case "weekdays": return Set(CivilTime.Weekday.allCases.prefix(5))
        case "weekends": return [.saturday, .sunday]
        default: break
        }
        let ends = word.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
        guard (1...2).contains(ends.count) else { throw fault(text) }
        let first = try weekday(ends[0], in: text)
        guard ends.count == 2 else { return [first] }
        let last = try weekday(ends[1], in: text)
        let length = (last.rawValue - first.rawValue + 7) % 7
        return Set((0...length).compactMap { CivilTime.Weekday(rawValue: (first.rawValue - 1 + $0) % 7 + 1) })
    }

    private static func weekday(_ word: String, in text: String) throws(ShowDays.ParseError) -> CivilTime.Weekday {
        let names = CivilTime.Weekday.allCases.map { "\($0)" }
        if word.utf8.count >= 3, let index = names.firstIndex(where: { $0.hasPrefix(word) }) {
            return CivilTime.Weekday.allCases[index]
        }
        let known = names + ["daily", "weekdays", "weekends"]
        let near = known.map { ($0.editDistance(to: word), $0) }.min { $0.0 < $1.0 }
        if let near, near.0 <= 2 {
            throw ShowDays.ParseError("'\(word)' is no day: did you mean \(near.1)?")
        }
        throw fault(text)
    }

    private static func fault(_ text: String) -> ShowDays.ParseError {
        ShowDays.ParseError(
            """
            '\(text)' is no rule for days; write it like mon-fri, sat, daily, first sunday, last fri, \
            every 2nd tue from 2026-01-06, 2026-12-24 or 2026-12-24..2026-12-26
            """)
    }
}

extension DayRule.Ordinal {
    /// `first` to `fifth`, `last`, and numbers such as `1st` or `12th`.
    init?(_ word: String) {
        let words = ["first", "second", "third", "fourth", "fifth"]
        if word == "last" {
            self = .last
        } else if let index = words.firstIndex(of: word) {
            self = .number(index + 1)
        } else {
            let digits = word.prefix { ("0"..."9").contains($0) }
            guard (1...2).contains(digits.utf8.count), let number = Int(digits), number > 0,
                ["st", "nd", "rd", "th"].contains(word.dropFirst(digits.count))
            else { return nil }
            self = .number(number)
        }
    }
}

extension String {
    /// How many characters have to be inserted, removed or replaced to get the other text (Levenshtein). For short
    /// texts: the time is the product of both lengths.
    package func editDistance(to other: String) -> Int {
        let (here, there) = (Array(self), Array(other))
        var row = Array(0...there.count)
        for (index, character) in here.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in there.indices {
                let change = diagonal + (character == there[column] ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = Swift.min(change, diagonal + 1, row[column] + 1)
            }
        }
        return row[there.count]
    }
}

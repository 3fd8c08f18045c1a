// SPDX-License-Identifier: MIT

import RadioCore

extension DayRule {
    /// Why a text is not a rule.
    enum ParseError: Error, Hashable, Sendable {
        case empty
        case unknown(String)
        /// An ordinal without a day of the week.
        case noDay(after: String)
        /// More than one day where only one is allowed.
        case notOneDay(String)
        /// An ordinal that no month has, such as a sixth Sunday.
        case ordinal(String)
        case noStep
        case step(String)
        case noStart
        case date(String, CalendarDate.ParseError)
        case reversed
        case tooLong
        /// Words after the end of the rule.
        case extra(String)
    }

    /// Parses one rule, ignoring case.
    init(parsing text: String) throws(ParseError) {
        let words = text.lowercased().split { $0 == " " || $0 == "\t" }.map(String.init)
        guard let first = words.first else { throw .empty }
        if first == "every" {
            self = try .everyWeeks(words)
        } else if first == "last" {
            self = .lastOfMonth(try Self.day(of: words))
        } else if let ordinal = Self.ordinal(first) {
            guard (1...5).contains(ordinal) else { throw .ordinal(first) }
            self = .monthly(ordinal, try Self.day(of: words))
        } else {
            if words.count > 1 {
                // An unknown first word is reported before the extra word, because it is the likelier mistake.
                if !first.contains("..") && !Self.isDate(first) { _ = try Self.days(first) }
                throw .extra(words[1])
            }
            self = try Self.single(first)
        }
    }

    /// A rule of one word.
    private static func single(_ word: String) throws(ParseError) -> DayRule {
        if let span = word.firstRange(of: "..") {
            let first = try date(String(word[..<span.lowerBound]))
            let last = try date(String(word[span.upperBound...]))
            guard first <= last else { throw .reversed }
            guard last.dayNumber - first.dayNumber < longestSpan else { throw .tooLong }
            return .dates(first...last)
        }
        if isDate(word) {
            let date = try date(word)
            return .dates(date...date)
        }
        return .weekly(try days(word))
    }

    /// `every 2nd tue from 2026-01-06`, `every 3rd week mon-fri from 2026-01-05`
    private static func everyWeeks(_ words: [String]) throws(ParseError) -> DayRule {
        var words = words.dropFirst()
        guard let first = words.popFirst() else { throw .noStep }
        guard let step = first == "other" ? 2 : ordinal(first) else {
            // `every tue` lacks a number; in `every 2md tue`, the number is misspelt.
            if (try? days(first)) != nil { throw .noStep }
            throw .unknown(first)
        }
        guard (2...52).contains(step) else { throw .step(first) }
        if words.first == "week" { words.removeFirst() }
        guard let name = words.popFirst(), name != "from" else { throw .noDay(after: "every \(first)") }
        let days = try days(name)
        guard let from = words.popFirst() else { throw .noStart }
        guard from == "from" else {
            throw NearestWord.nearest(to: from, in: ["from"]) == nil ? .noStart : .unknown(from)
        }
        guard let start = words.popFirst() else { throw .noStart }
        if let extra = words.first { throw .extra(extra) }
        return .everyWeeks(step, days, from: try date(start))
    }

    /// The one day after an ordinal.
    private static func day(of words: [String]) throws(ParseError) -> CivilTime.Weekday {
        guard words.count > 1 else { throw .noDay(after: words[0]) }
        guard let day = dayNames[words[1]] else {
            _ = try days(words[1])
            throw .notOneDay(words[1])
        }
        guard words.count == 2 else { throw .extra(words[2]) }
        return day
    }

    /// `mon`, `mon-fri`, `weekdays`
    private static func days(_ word: String) throws(ParseError) -> WeekdaySet {
        if let group = groups[word] { return group }
        let ends = word.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let first = try weekday(ends[0], in: word)
        return ends.count == 1 ? WeekdaySet(first) : WeekdaySet(first, through: try weekday(ends[1], in: word))
    }

    private static func weekday(_ name: String, in word: String) throws(ParseError) -> CivilTime.Weekday {
        guard let day = dayNames[name] else { throw .unknown(name.isEmpty ? word : name) }
        return day
    }

    /// `second`, `2nd`
    private static func ordinal(_ word: String) -> Int? {
        if let place = ordinals.firstIndex(of: word) { return place + 1 }
        let digits = word.prefix { ("0"..."9").contains($0) }
        guard (1...3).contains(digits.utf8.count), ["st", "nd", "rd", "th"].contains(word[digits.endIndex...]) else {
            return nil
        }
        return Int(digits)
    }

    private static func date(_ text: String) throws(ParseError) -> CalendarDate {
        do throws(CalendarDate.ParseError) { return try CalendarDate(parsing: text) } catch { throw .date(text, error) }
    }

    /// Whether a word is meant to be a date, valid or not.
    private static func isDate(_ word: String) -> Bool {
        word.contains("-") && word.first.map { ("0"..."9").contains($0) } ?? false
    }

    /// The limit for a span of dates, in days, counting its first and its last date.
    static let longestSpan = 366
    /// Every word that a rule may contain, the likeliest first.
    static let words =
        ["daily", "weekdays", "weekends"] + longNames + shortNames.map(\.0) + ordinals
        + ["last", "every", "week", "from"]

    private static let ordinals = ["first", "second", "third", "fourth", "fifth"]
    private static let groups: [String: WeekdaySet] = ["daily": .all, "weekdays": .weekdays, "weekends": .weekends]
    private static let longNames = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
    private static let shortNames: [(String, CivilTime.Weekday)] = [
        ("mon", .monday), ("tue", .tuesday), ("tues", .tuesday), ("wed", .wednesday), ("thu", .thursday),
        ("thur", .thursday), ("thurs", .thursday), ("fri", .friday), ("sat", .saturday), ("sun", .sunday),
    ]
    private static let dayNames = Dictionary(
        zip(longNames, CivilTime.Weekday.allCases) + shortNames, uniquingKeysWith: { name, _ in name })
}

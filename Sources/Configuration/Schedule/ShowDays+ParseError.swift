// SPDX-License-Identifier: MIT

import RadioCore

extension ShowDays {
    /// Why a text is not a rule for days. The description addresses the person who typed it, quotes the rule, and shows
    /// how to write one.
    package struct ParseError: Error, Hashable, Sendable, CustomStringConvertible {
        package var description: String

        static let none = ParseError(description: "there are no days: \(examples)")
        static let tooMany = ParseError(
            description: "there are more than \(ShowDays.mostRules) rules for days: \(examples)")

        init(longRule: String) {
            description =
                "the rule \"\(longRule.prefix(20))…\" has more than \(ShowDays.longestRule) bytes: \(Self.examples)"
        }

        init(_ rule: String, _ error: DayRule.ParseError) {
            description = error == .empty ? "a rule for days is empty: \(Self.examples)" : "\"\(rule)\" \(error.words)"
        }

        private init(description: String) {
            self.description = description
        }

        fileprivate static let examples =
            "write for example daily, mon-fri, first sunday, every 2nd tue from 2026-01-06, or 2026-12-24"
    }
}

extension DayRule.ParseError {
    /// What is wrong with the rule, and how to write it, worded to follow the quoted rule in a sentence.
    fileprivate var words: String {
        switch self {
        case .empty: "is empty: \(ShowDays.ParseError.examples)"
        case .unknown(let word):
            if let nearest = NearestWord.nearest(to: word, in: DayRule.words) {
                "is not a rule: did you mean \"\(nearest)\" by \"\(word)\"? If not, \(ShowDays.ParseError.examples)"
            } else {
                "is not a rule for days, because of \"\(word)\": \(ShowDays.ParseError.examples)"
            }
        case .noDay(let before):
            """
            has no day after \"\(before)\": write for example \(before) friday\
            \(before.hasPrefix("every") ? " from 2026-01-06" : "")
            """
        case .notOneDay(let word): "must have one day instead of \"\(word)\": write for example first sunday, last fri"
        case .ordinal(let word):
            "asks for the \(word) of a weekday, but a month has at most five: write for example first sunday, last fri"
        case .noStep: "does not say how many weeks apart: write for example every 2nd tue from 2026-01-06"
        case .step(let word):
            """
            counts weeks by \"\(word)\", which must be from 2nd to 52nd: write for example every 2nd tue from \
            2026-01-06
            """
        case .noStart: "has no date to count from: write for example every 2nd tue from 2026-01-06"
        case .date(let text, .malformed):
            "has no date in \"\(text)\": write for example 2026-12-24 or 2026-12-24..2026-12-26"
        case .date(let text, let error): "names \(text), but \(error)"
        case .reversed: "ends before it begins: write for example 2026-12-24..2026-12-26"
        case .tooLong:
            "spans more than \(DayRule.longestSpan) days: write a shorter one, for example 2026-12-24..2026-12-26"
        case .extra(let word):
            "should end before \"\(word)\": put commas between rules, for example mon-fri, first sunday, 2026-12-24"
        }
    }
}

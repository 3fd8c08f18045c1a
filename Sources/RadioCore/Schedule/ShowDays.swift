// SPDX-License-Identifier: MIT

/// The days on which a show is on: the setting `days`.
package struct ShowDays: Hashable, Sendable {
    /// The rules as they were written.
    package let texts: [String]
    private let rules: [DayRule]

    private static let mostRules = 100
    private static let longestText = 1_000

    /// Why a text is no rule for days. The description addresses the person who typed it.
    package struct ParseError: Error, Hashable, Sendable, CustomStringConvertible {
        package let description: String

        init(_ description: String) {
            self.description = description
        }
    }

    /// Parses texts of one rule each, or of several between commas. A day fits if it fits any rule:
    ///
    /// - `daily`, `weekdays`, `weekends`, `mon`, `monday`, `mon-fri`, `fri-mon`
    /// - `first sunday`, `2nd tue`, `last friday`: of each month
    /// - `every 2nd tue from 2026-01-06`, `every 3rd week mon-fri from 2026-01-05`: weeks begin on Monday
    /// - `2026-12-24`, `2026-12-24..2026-12-26`
    package init(parsing texts: [String]) throws(ParseError) {
        self.texts = texts
        var rules: [DayRule] = []
        for text in texts {
            guard text.utf8.count <= Self.longestText else { throw ParseError("a rule for days is too long") }
            for part in text.lowercased().split(separator: ",", omittingEmptySubsequences: false) {
                rules.append(try DayRule(parsing: String(part)))
                guard rules.count <= Self.mostRules else {
                    throw ParseError("there are more than \(Self.mostRules) rules for days")
                }
            }
        }
        guard !rules.isEmpty else { throw ParseError("there is no day, so it would never be on") }
        self.rules = rules
    }

    package func contains(_ date: CalendarDate) -> Bool {
        rules.contains { $0.contains(date) }
    }
}

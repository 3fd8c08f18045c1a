// SPDX-License-Identifier: MIT

package import RadioCore
import RadioFormats

/// The days on which a show is on: the setting `days`.
package struct ShowDays: Hashable, Sendable {
    /// The rules as they were written.
    package let texts: [String]
    private let rules: [DayRule]

    /// Parses rules: the show is on if the day fits any of them. A text is one rule, or several separated by commas; at
    /// most 100 rules of 100 bytes each.
    ///
    /// Rules are not case-sensitive, and names of days may be short or long:
    /// - `daily`, `weekdays`, `weekends`, `mon`, `mon-fri`, `fri-mon`
    /// - `first sunday`, `2nd tue`, `last friday`: of each month
    /// - `every 2nd tue from 2026-01-06`, `every 3rd week mon-fri from 2026-01-05`: in every n-th week, from Monday to
    ///   Sunday, counted from the week of that date, and not before that date; n is 2 to 52
    /// - `2026-12-24`, `2026-12-24..2026-12-26`: a date, or at most 366 in a row
    package init(parsing texts: [String]) throws(ParseError) {
        self.texts = texts
        var rules: [DayRule] = []
        for text in texts {
            // Splits into at most one piece more than allowed, so that too many pieces are detected without splitting
            // all of them.
            let pieces = text.split(separator: ",", maxSplits: Self.mostRules, omittingEmptySubsequences: false)
            guard rules.count + pieces.count <= Self.mostRules else { throw .tooMany }
            for piece in pieces {
                let rule = Self.trimmed(piece)
                guard rule.utf8.count <= Self.longestRule else { throw ParseError(longRule: rule) }
                do throws(DayRule.ParseError) { rules.append(try DayRule(parsing: rule)) } catch {
                    throw ParseError(rule, error)
                }
            }
        }
        guard !rules.isEmpty else { throw .none }
        self.rules = rules
    }

    /// Whether the show is on that day.
    package func contains(_ date: CalendarDate) -> Bool {
        rules.contains { $0.contains(date) }
    }

    /// The dates before which rules do not apply.
    var beginnings: [CalendarDate] { rules.compactMap(\.beginning) }

    static let mostRules = 100
    static let longestRule = 100

    private static func trimmed(_ text: Substring) -> String {
        String(text.trimmed { $0 == " " || $0 == "\t" })
    }
}

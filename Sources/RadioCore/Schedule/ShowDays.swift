// SPDX-License-Identifier: MIT

/// The days on which a show is on: the setting `days`.
package struct ShowDays: Hashable, Sendable {
    /// The rules as they were written.
    package let texts: [String]

    /// Why a text is no rule for days. The description addresses the person who typed it.
    package struct ParseError: Error, Hashable, Sendable, CustomStringConvertible {
        package var description: String
    }

    /// Parses rules, of which a day has to fit any one.
    package init(parsing texts: [String]) throws(ParseError) {
        self.texts = texts
    }

    package func contains(_ date: CalendarDate) -> Bool { true }
}

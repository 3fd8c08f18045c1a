// SPDX-License-Identifier: MIT

/// A day of the calendar, without a time of day and without a zone: `2026-12-24`. Proleptic Gregorian.
package struct CalendarDate: Hashable, Comparable, Sendable {
    /// Days since 1970-01-01.
    package let dayNumber: Int64

    package init(dayNumber: Int64) {
        self.dayNumber = dayNumber
    }

    package static func < (first: CalendarDate, second: CalendarDate) -> Bool { first.dayNumber < second.dayNumber }

    /// Why a text is no date. The description addresses the person who typed it.
    package struct ParseError: Error, Hashable, Sendable, CustomStringConvertible {
        package var description: String { "it must be a date such as 2026-12-24" }
    }

    /// Parses `YYYY-MM-DD`.
    package init(parsing text: String) throws(ParseError) {
        throw ParseError()
    }
}

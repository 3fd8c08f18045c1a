// SPDX-License-Identifier: MIT

import ArgumentParser
import RadioCore

/// A day on the command line.
enum DateArgument {
    /// For `@Option(transform:)`: the error message says what is wrong with the value.
    static func parse(_ text: String) throws -> CalendarDate {
        do {
            return try CalendarDate(parsing: text)
        } catch {
            throw ValidationError("'\(text)' is not a date: \(error)")
        }
    }
}

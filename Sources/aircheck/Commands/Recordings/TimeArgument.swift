// SPDX-License-Identifier: MIT

import ArgumentParser
import RadioCore

/// A time of day on the command line.
enum TimeArgument {
    /// For `@Option(transform:)`: the error message says what is wrong with the value.
    static func parse(_ text: String) throws -> TimeOfDay {
        do {
            return try TimeOfDay(parsing: text)
        } catch {
            throw ValidationError("'\(text)' is not a time: \(error)")
        }
    }
}

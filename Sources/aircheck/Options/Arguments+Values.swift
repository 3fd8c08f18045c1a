// SPDX-License-Identifier: MIT

import ArgumentParser
import RadioCore

/// A duration as people write it: `1h30m`, `45s`, `500ms`. Rejects a bare number.
struct DurationArgument: CustomStringConvertible {
    var duration: Duration

    init(_ duration: Duration) { self.duration = duration }

    var description: String { HumanDuration.print(duration) }
}

/// For `@Option(transform:)`: the error message says what is wrong with the value.
enum ArgumentValue {
    static func duration(_ text: String) throws -> DurationArgument {
        try read { DurationArgument(try HumanDuration.parse(text)) }
    }

    static func count(_ text: String) throws -> Int { try read { try HumanCount.parse(text) } }

    static func date(_ text: String) throws -> CalendarDate {
        try read("'\(text)' is not a date: ") { try CalendarDate(parsing: text) }
    }

    static func time(_ text: String) throws -> TimeOfDay {
        try read("'\(text)' is not a time: ") { try TimeOfDay(parsing: text) }
    }

    private static func read<Value>(_ fault: String = "", _ value: () throws -> Value) throws -> Value {
        do { return try value() } catch { throw ValidationError("\(fault)\(error)") }
    }
}

extension ParsableArguments {
    /// The first option that is given.
    static func first(given options: KeyValuePairs<String, Bool>) -> String? { options.first(where: \.value)?.key }
}

extension ArgumentHelp {
    /// Help for an option or an argument with a value. `name` stands for the value.
    static func value(_ name: String, _ text: String) -> ArgumentHelp { ArgumentHelp(text, valueName: name) }
}

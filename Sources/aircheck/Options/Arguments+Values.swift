// SPDX-License-Identifier: MIT

import ArgumentParser
import RadioCore

/// A length of time as people write it: `1h30m`, `45s`, `500ms`. A bare number is an error that says so.
struct DurationArgument: CustomStringConvertible {
    var duration: Duration

    init(_ duration: Duration) {
        self.duration = duration
    }

    /// For `@Option(transform:)`, so that the error tells what is wrong with the value.
    static func parse(_ text: String) throws -> DurationArgument {
        do {
            return DurationArgument(try HumanDuration.parse(text))
        } catch {
            throw ValidationError("\(error)")
        }
    }

    var description: String { HumanDuration.print(duration) }
}

enum CountArgument {
    /// For `@Option(transform:)`, so that the error tells what is wrong with the value.
    static func parse(_ text: String) throws -> Int {
        do {
            return try HumanCount.parse(text)
        } catch {
            throw ValidationError("\(error)")
        }
    }
}

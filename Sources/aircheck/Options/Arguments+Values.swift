// SPDX-License-Identifier: MIT

import ArgumentParser
import RadioCore

/// A duration as people write it: `1h30m`, `45s`, `500ms`. Rejects a bare number.
struct DurationArgument: CustomStringConvertible {
    var duration: Duration

    init(_ duration: Duration) {
        self.duration = duration
    }

    /// For `@Option(transform:)`: the error message says what is wrong with the value.
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
    /// For `@Option(transform:)`: the error message says what is wrong with the value.
    static func parse(_ text: String) throws -> Int {
        do {
            return try HumanCount.parse(text)
        } catch {
            throw ValidationError("\(error)")
        }
    }
}

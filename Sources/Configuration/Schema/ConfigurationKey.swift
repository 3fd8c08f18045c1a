// SPDX-License-Identifier: MIT

/// A key of the configuration file: its name, the kind of its value, and its purpose.
package struct ConfigurationKey: Hashable, Sendable {
    /// The kinds of values.
    package enum Kind: Hashable, Sendable {
        case text
        /// One text, or a list of texts.
        case texts
        /// A list of texts. A single text is not allowed, because it would mean something else.
        case list
        /// A table of texts, or a list of texts `name: value`.
        case fields
        case flag
        case count(ClosedRange<Int>)
        /// A duration: a text that `HumanDuration` can parse.
        case duration
        /// A size: a text that ``HumanSize`` can parse.
        case size
        /// A time of day: a text, or a TOML local time.
        case time
        /// A time of day, or a list of them.
        case times
        /// A date: a text, or a TOML local date.
        case date
        /// A list of dates.
        case dates

        /// The kind in words for people; "it must be" stands before them.
        package var words: String {
            switch self {
            case .text: "a text in quotes"
            case .texts: "a text in quotes, or a list of texts in quotes"
            case .list: "a list of texts in quotes"
            case .fields: "a table of texts, or a list of texts in quotes"
            case .flag: "true or false, without quotes"
            case .count(let range): "a whole number from \(range.lowerBound) to \(range.upperBound), without quotes"
            case .duration: "a time with its unit, in quotes"
            case .size: "a size with its unit, in quotes"
            case .time: "a time of day"
            case .times: "a time of day, or a list of them"
            case .date: "a date"
            case .dates: "a list of dates"
            }
        }
    }

    package var name: String
    package var kind: Kind
    /// An example of a value, in TOML.
    package var example: String
    /// The default value, in TOML; nil if there is none or if it cannot be written.
    package var standard: String?
    package var isRequired: Bool
    /// What the key is for, in a sentence or two.
    package var about: String

    /// How to write the key, for messages.
    var advice: String { "write for example \(name) = \(example)" }

    /// Declares a key with a default value that can be written in TOML.
    static func standard(_ name: String, _ kind: Kind, _ standard: String, _ about: String) -> ConfigurationKey {
        ConfigurationKey(
            name: name, kind: kind, example: standard, standard: standard, isRequired: false, about: about)
    }

    /// Declares a key that may be left out.
    static func optional(_ name: String, _ kind: Kind, _ example: String, _ about: String) -> ConfigurationKey {
        ConfigurationKey(name: name, kind: kind, example: example, standard: nil, isRequired: false, about: about)
    }

    /// Declares a required key.
    static func required(_ name: String, _ kind: Kind, _ example: String, _ about: String) -> ConfigurationKey {
        ConfigurationKey(name: name, kind: kind, example: example, standard: nil, isRequired: true, about: about)
    }
}

extension ConfigurationKey.Kind {
    /// Counts are limited so that their sums and products do not overflow.
    static let anyCount = Self.count(1...1_000_000_000)
    /// The limit is a century, so that such a time can be counted in nanoseconds.
    static let days = Self.count(1...36_500)
}

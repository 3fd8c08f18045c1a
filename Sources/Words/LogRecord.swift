// SPDX-License-Identifier: MIT

/// One entry of a daemon's log: a constant message for programs, its fields, and a sentence for people.
package struct LogRecord: Sendable, Hashable {
    package enum Level: Int, Sendable, Hashable, Comparable, CaseIterable {
        case debug, info, notice, warning, error

        package static func < (first: Level, second: Level) -> Bool { first.rawValue < second.rawValue }
    }

    /// A named value.
    package struct Field: Sendable, Hashable {
        package var name: String
        package var value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    package var level: Level
    /// The message, which is constant for each kind of event.
    package var message: String
    package var fields: [Field]
    /// What has happened, in words. One line.
    package var sentence: String
    /// Identifies a fault that may recur, so that recurrences are counted instead of logged; nil for other entries.
    package var fault: String?
    /// The prefix of the names of faults that have ended; nil for other entries.
    package var ends: String?

    package init(
        _ level: Level, _ message: String, _ fields: [Field] = [], sentence: String, fault: String? = nil,
        ends: String? = nil
    ) {
        self.level = level
        self.message = message
        self.fields = fields
        self.sentence = sentence
        self.fault = fault
        self.ends = ends
    }
}

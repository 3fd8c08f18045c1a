// SPDX-License-Identifier: MIT

/// A position in a document; line and column are counted from 1, columns in characters.
package struct TOMLPosition: Hashable, Comparable, Sendable {
    package var line: Int
    package var column: Int

    package static let start = TOMLPosition(line: 1, column: 1)

    package static func < (first: TOMLPosition, second: TOMLPosition) -> Bool {
        (first.line, first.column) < (second.line, second.column)
    }
}

/// A value with its position in the document. It nests at most ``TOMLDocument/deepest`` levels.
package struct TOMLNode: Hashable, Sendable {
    package enum Value: Hashable, Sendable {
        case text(String)
        case integer(Int64)
        case real(Double)
        case flag(Bool)
        /// A local date: `2026-12-24`.
        case date(String)
        /// A local time: `07:00:00`, with nine fractional digits if the time has a fraction.
        case time(String)
        /// A date and a time: `2026-12-24T07:00:00`, without its offset.
        case dateTime(String)
        case array([TOMLNode])
        case table(TOMLTable)
    }

    package var value: Value
    /// The position of the key; for a value in an array, the position of the value.
    package var position: TOMLPosition

    package init(_ value: Value, at position: TOMLPosition) {
        self.value = value
        self.position = position
    }

    /// The kind of value, for people: "a whole number".
    package var kind: String {
        switch value {
        case .text: "a text"
        case .integer: "a whole number"
        case .real: "a number with a fraction"
        case .flag: "true or false"
        case .date: "a date"
        case .time: "a time of day"
        case .dateTime: "a date with a time"
        case .array: "a list"
        case .table: "a table"
        }
    }
}

/// Keys with their values; each key occurs once.
package struct TOMLTable: Hashable, Sendable {
    package struct Entry: Hashable, Sendable {
        package var key: String
        package var node: TOMLNode

        package init(key: String, node: TOMLNode) {
            self.key = key
            self.node = node
        }
    }

    /// The entries in the order of the document.
    package private(set) var entries: [Entry]

    package init(_ entries: [Entry] = []) {
        self.entries = entries.sorted { $0.node.position < $1.node.position }
    }

    /// The value of a key; nil if the key is missing. Takes time in proportion to the number of keys.
    package subscript(key: String) -> TOMLNode? {
        entries.first { $0.key == key }?.node
    }
}

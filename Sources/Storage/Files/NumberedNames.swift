// SPDX-License-Identifier: MIT

/// `NAME`, `NAME (2)`, `NAME (3)` …, up to a limit that nobody should reach.
struct NumberedNames: Sequence, IteratorProtocol {
    private let name: String
    private var number = 1

    init(_ name: String) {
        self.name = name
    }

    /// Starts at `current`, a name that the sequence has produced before.
    init(_ name: String, startingAt current: String) {
        self.name = name
        while number < Self.limit, numbered != current { number += 1 }
    }

    mutating func next() -> String? {
        guard number <= Self.limit else { return nil }
        defer { number += 1 }
        return numbered
    }

    private var numbered: String { number == 1 ? name : "\(name) (\(number))" }

    private static let limit = 9_999
}

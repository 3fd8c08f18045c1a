// SPDX-License-Identifier: MIT

/// Values of several types by their names, which can be compared as a whole.
struct NamedValues: Hashable, Sendable {
    private var values: [String: any Hashable & Sendable] = [:]

    subscript(name: String) -> (any Hashable & Sendable)? {
        get { values[name] }
        set { values[name] = newValue }
    }

    static func == (one: Self, other: Self) -> Bool { one.hashable == other.hashable }

    func hash(into hasher: inout Hasher) { hasher.combine(hashable) }

    private var hashable: [String: AnyHashable] { values.mapValues { AnyHashable($0) } }
}

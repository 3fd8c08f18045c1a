// SPDX-License-Identifier: MIT

/// Values of any types by their names.
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

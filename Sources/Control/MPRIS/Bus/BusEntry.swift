// SPDX-License-Identifier: MIT

/// A named value: a property, or an entry of a dictionary.
package struct BusEntry: Hashable, Sendable {
    package var name: String
    package var value: BusValue

    package init(_ name: String, _ value: BusValue) {
        self.name = name
        self.value = value
    }
}

// SPDX-License-Identifier: MIT

/// A header field.
package struct HTTPField: Hashable, Sendable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

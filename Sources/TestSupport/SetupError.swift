// SPDX-License-Identifier: MIT

/// A test cannot do its work: a tool is missing, a server does not start, a reference is not what it should be.
package struct SetupError: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}

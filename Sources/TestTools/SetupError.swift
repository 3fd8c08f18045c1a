// SPDX-License-Identifier: MIT

/// The error of a test that cannot run: a tool is missing, a server does not start, or a reference is unsuitable.
package struct SetupError: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}

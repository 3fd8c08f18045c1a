// SPDX-License-Identifier: MIT

/// The ID of a programme, chosen by the code that adds it.
package struct ProgrammeID: Hashable, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ name: String) {
        description = name
    }
}

/// The ID of a use, chosen by the code that begins it.
package struct UseID: Hashable, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ name: String) {
        description = name
    }
}

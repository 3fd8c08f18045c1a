// SPDX-License-Identifier: MIT

/// What a programme is called for as long as the engine has it. Whoever adds it chooses the name.
package struct ProgrammeID: Hashable, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ name: String) {
        description = name
    }
}

/// What a use is called for as long as it lasts. Whoever begins it chooses the name.
package struct UseID: Hashable, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ name: String) {
        description = name
    }
}

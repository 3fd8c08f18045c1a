// SPDX-License-Identifier: MIT

/// A method call received from the bus.
package struct BusCall: Hashable, Sendable {
    /// Nil if the caller named no interface: the method is then selected by its name alone.
    package var interface: String?
    package var member: String
    /// The type signature of the arguments.
    package var signature = ""
    /// The arguments, with variants unwrapped; nil if an argument is longer than ``longestText`` or of a type that no
    /// method here takes.
    package var arguments: [BusValue]? = []

    /// The maximum number of arguments, and the maximum length of a text argument in bytes.
    package static let mostArguments = 4
    package static let longestText = 4 << 10
}

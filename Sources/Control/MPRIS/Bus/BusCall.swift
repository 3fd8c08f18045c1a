// SPDX-License-Identifier: MIT

/// A method call as it came.
package struct BusCall: Hashable, Sendable {
    /// Nil where the caller did not say: then the method's name alone counts.
    package var interface: String?
    package var member: String
    /// The types of its arguments.
    package var signature: String
    /// The arguments, with what variants hold in their place; nil where one is of a type that no method here takes, or
    /// longer than ``longestText``.
    package var arguments: [BusValue]?

    /// Arguments that are read, and bytes of a text among them.
    package static let mostArguments = 4
    package static let longestText = 4 << 10

    package init(interface: String?, member: String, signature: String = "", arguments: [BusValue]? = []) {
        self.interface = interface
        self.member = member
        self.signature = signature
        self.arguments = arguments
    }
}

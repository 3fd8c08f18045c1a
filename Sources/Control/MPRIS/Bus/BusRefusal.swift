// SPDX-License-Identifier: MIT

/// An error sent in reply to a method call.
package struct BusRefusal: Error, Hashable, Sendable {
    /// A standard D-Bus error; the raw value is the last part of its name.
    package enum Kind: String, Sendable {
        case unknownMethod = "UnknownMethod"
        case unknownInterface = "UnknownInterface"
        case unknownProperty = "UnknownProperty"
        case propertyReadOnly = "PropertyReadOnly"
        case invalidArguments = "InvalidArgs"
        case notSupported = "NotSupported"
        case limitsExceeded = "LimitsExceeded"
    }

    package var kind: Kind
    /// A message for the author of the calling program.
    package var text: String

    package init(_ kind: Kind, _ text: String) {
        self.kind = kind
        self.text = text
    }

    /// The full D-Bus error name.
    package var name: String { "org.freedesktop.DBus.Error.\(kind.rawValue)" }
}

// SPDX-License-Identifier: MIT

/// An error with which a call is answered.
package struct BusRefusal: Error, Hashable, Sendable {
    /// Which of the errors that D-Bus knows; the raw value is the end of its name.
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
    /// For whoever wrote the caller.
    package var text: String

    package init(_ kind: Kind, _ text: String) {
        self.kind = kind
        self.text = text
    }

    /// The name as it goes over the bus.
    package var name: String { "org.freedesktop.DBus.Error.\(kind.rawValue)" }
}

// SPDX-License-Identifier: MIT

/// A D-Bus value of a type that this module uses.
package indirect enum BusValue: Hashable, Sendable {
    case boolean(Bool)
    case integer(Int64)
    case real(Double)
    case string(String)
    case objectPath(String)
    case strings([String])
    /// Names with values of any type (`a{sv}`).
    case dictionary([BusEntry])
    /// A value that carries its type with it (`v`).
    case variant(BusValue)

    /// The type's signature.
    package var type: String {
        switch self {
        case .boolean: "b"
        case .integer: "x"
        case .real: "d"
        case .string: "s"
        case .objectPath: "o"
        case .strings: "as"
        case .dictionary: "a{sv}"
        case .variant: "v"
        }
    }
}

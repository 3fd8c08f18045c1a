// SPDX-License-Identifier: MIT

import CLibSystemd

/// Appends values to an outgoing message. Each function returns whether it succeeded.
enum BusWriter {
    static func append(_ value: BusValue, to message: OpaquePointer) -> Bool {
        switch value {
        case .boolean(let isTrue):
            var number: CInt = isTrue ? 1 : 0
            return ac_bus_append(message, letter("b"), &number) >= 0
        case .integer(var number): return ac_bus_append(message, letter("x"), &number) >= 0
        case .real(var number): return ac_bus_append(message, letter("d"), &number) >= 0
        case .string(let text): return append(text, letter("s"), to: message)
        case .objectPath(let path): return append(path, letter("o"), to: message)
        case .strings(let texts):
            return contain("a", "s", in: message) { texts.allSatisfy { append($0, letter("s"), to: message) } }
        case .dictionary(let entries):
            return contain("a", "{sv}", in: message) { entries.allSatisfy { append($0, to: message) } }
        case .variant(let value): return contain("v", value.type, in: message) { append(value, to: message) }
        }
    }

    private static func append(_ entry: BusEntry, to message: OpaquePointer) -> Bool {
        contain("e", "sv", in: message) {
            append(entry.name, letter("s"), to: message) && append(.variant(entry.value), to: message)
        }
    }

    /// Appends a text in which forbidden code points are replaced: a bus disconnects a client that sends invalid text,
    /// and a null would cut the text off.
    private static func append(_ text: String, _ type: CChar, to message: OpaquePointer) -> Bool {
        var safe = text
        if text.unicodeScalars.contains(where: isRefused) {
            safe = String(String.UnicodeScalarView(text.unicodeScalars.map { isRefused($0) ? "\u{FFFD}" : $0 }))
        }
        return ac_bus_append(message, type, safe) >= 0
    }

    /// Null and the Unicode noncharacters.
    private static func isRefused(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value == 0 || scalar.value & 0xFFFE == 0xFFFE || 0xFDD0...0xFDEF ~= scalar.value
    }

    private static func contain(
        _ type: Unicode.Scalar, _ contents: String, in message: OpaquePointer, _ body: () -> Bool
    ) -> Bool {
        ac_bus_open_container(message, letter(type), contents) >= 0 && body() && ac_bus_close_container(message) >= 0
    }
}

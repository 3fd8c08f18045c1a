// SPDX-License-Identifier: MIT

import CLibSystemd

/// Decodes received messages, whose content is untrusted.
enum BusReader {
    static func call(_ message: OpaquePointer) -> BusCall {
        BusCall(
            interface: ac_bus_call_interface(message).map { String(cString: $0) },
            member: ac_bus_call_member(message).map { String(cString: $0) } ?? "",
            signature: ac_bus_signature(message).map { String(cString: $0) } ?? "", arguments: arguments(message))
    }

    private static func arguments(_ message: OpaquePointer) -> [BusValue]? {
        var values: [BusValue] = []
        while true {
            var (type, contents): (CChar, UnsafePointer<CChar>?) = (0, nil)
            let status = ac_bus_peek(message, &type, &contents)
            if status == 0 { return values }
            guard status > 0, values.count < BusCall.mostArguments else { return nil }
            guard let value = type == letter("v") ? variant(message, contents) : basic(message, type) else {
                return nil
            }
            values.append(value)
        }
    }

    /// The content of a variant; nil unless it is a single basic value.
    private static func variant(_ message: OpaquePointer, _ contents: UnsafePointer<CChar>?) -> BusValue? {
        guard let contents, contents[0] != 0, contents[1] == 0 else { return nil }
        let type = contents[0]
        guard ac_bus_enter(message, letter("v"), contents) > 0, let value = basic(message, type) else { return nil }
        return ac_bus_leave(message) >= 0 ? value : nil
    }

    private static func basic(_ message: OpaquePointer, _ type: CChar) -> BusValue? {
        switch type {
        case letter("b"):
            var value: CInt = 0
            return ac_bus_read(message, type, &value) > 0 ? .boolean(value != 0) : nil
        case letter("x"):
            var value: Int64 = 0
            return ac_bus_read(message, type, &value) > 0 ? .integer(value) : nil
        case letter("d"):
            var value = 0.0
            return ac_bus_read(message, type, &value) > 0 ? .real(value) : nil
        case letter("s"): return text(message, type).map { .string($0) }
        case letter("o"): return text(message, type).map { .objectPath($0) }
        default: return nil
        }
    }

    private static func text(_ message: OpaquePointer, _ type: CChar) -> String? {
        var text: UnsafePointer<CChar>?
        guard ac_bus_read(message, type, &text) > 0, let text else { return nil }
        var length = 0
        while text[length] != 0 {
            length += 1
            guard length <= BusCall.longestText else { return nil }
        }
        return String(cString: text)
    }
}

/// A D-Bus type code as a C character.
func letter(_ scalar: Unicode.Scalar) -> CChar { CChar(truncatingIfNeeded: scalar.value) }

// SPDX-License-Identifier: MIT

/// A name and password from an `Authorization: Basic` field (RFC 7617), parsed strictly.
struct BasicCredentials {
    let name: String
    let password: [UInt8]

    /// The maximum length of the field's value: more than the longest name and password need.
    private static let longestField = 1024

    /// Returns nil if the field is missing, malformed, or present more than once.
    init?(_ head: HTTPRequestHead) {
        let fields = head.fields.filter { $0.name == "authorization" }
        guard fields.count == 1, let value = fields.first?.value.utf8, value.count <= Self.longestField else {
            return nil
        }
        let parts = value.split(separator: UInt8(ascii: " "), maxSplits: 1)
        guard parts.count == 2, String(decoding: parts[0], as: UTF8.self).lowercased() == "basic",
            let bytes = Base64.decode(parts[1].drop { $0 == UInt8(ascii: " ") }),
            let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
            !bytes.contains(where: { $0 < 0x20 || $0 == 0x7f }),
            let name = String(validating: bytes[..<colon], as: UTF8.self),
            bytes.count - colon - 1 <= PasswordHash.longestPassword
        else { return nil }
        self.name = name
        password = Array(bytes[(colon + 1)...])
    }
}

/// Strict Base64 (RFC 4648, section 4): padded, without line breaks, and with unused bits zero.
enum Base64 {
    /// Returns nil if `text` is not strict Base64.
    static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        guard text.count.isMultiple(of: 4) else { return nil }
        var result: [UInt8] = []
        result.reserveCapacity(text.count / 4 * 3)
        var (bits, held, padding) = (UInt32(0), 0, 0)
        for byte in text {
            if byte == UInt8(ascii: "=") {
                padding += 1
                continue
            }
            guard padding == 0, let value = value(byte) else { return nil }
            bits = bits << 6 | UInt32(value)
            held += 6
            if held >= 8 {
                held -= 8
                result.append(UInt8(truncatingIfNeeded: bits >> UInt32(held)))
            }
        }
        // Leftover bits must be zero, and their number must match the padding.
        guard padding <= 2, held == padding * 2, bits & ((1 << UInt32(held)) - 1) == 0 else { return nil }
        return result
    }

    private static func value(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}

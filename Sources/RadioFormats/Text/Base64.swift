// SPDX-License-Identifier: MIT

extension Collection<UInt8> {
    /// The bytes as Base64 (RFC 4648, section 4): padded, without line breaks.
    package var base64: String {
        var text: [UInt8] = []
        var (group, bits) = (UInt32(0), 0)
        for byte in self {
            group = group << 8 | UInt32(byte)
            bits += 8
            while bits >= 6 {
                bits -= 6
                text.append(Base64.letters[Int(group >> UInt32(bits) & 0x3F)])
            }
        }
        if bits > 0 { text.append(Base64.letters[Int(group << UInt32(6 - bits) & 0x3F)]) }
        text += repeatElement(UInt8(ascii: "="), count: (4 - text.count % 4) % 4)
        return String(decoding: text, as: UTF8.self)
    }
}

/// Strict Base64 (RFC 4648, section 4): padded, without line breaks, and with unused bits zero.
package enum Base64 {
    fileprivate static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// Returns nil if `text` is not strict Base64.
    package static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        guard text.count.isMultiple(of: 4) else { return nil }
        var result: [UInt8] = []
        result.reserveCapacity(text.count / 4 * 3)
        var (bits, held, padding) = (UInt32(0), 0, 0)
        for byte in text {
            if byte == UInt8(ascii: "=") {
                padding += 1
                continue
            }
            guard padding == 0, let value = letters.firstIndex(of: byte) else { return nil }
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
}

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
                text.append(base64Letter(group >> UInt32(bits)))
            }
        }
        if bits > 0 { text.append(base64Letter(group << UInt32(6 - bits))) }
        text += repeatElement(UInt8(ascii: "="), count: (4 - text.count % 4) % 4)
        return String(decoding: text, as: UTF8.self)
    }
}

/// The letter of the lowest six bits.
private func base64Letter(_ value: UInt32) -> UInt8 {
    let value = UInt8(truncatingIfNeeded: value & 0x3F)
    return switch value {
    case 0..<26: UInt8(ascii: "A") + value
    case 26..<52: UInt8(ascii: "a") + value - 26
    case 52..<62: UInt8(ascii: "0") + value - 52
    case 62: UInt8(ascii: "+")
    default: UInt8(ascii: "/")
    }
}

// SPDX-License-Identifier: MIT

/// The escapes of addresses (RFC 3986 §2.1).
package enum PercentEncoding {
    /// Encodes the bytes that are not plain; plain bytes must be ASCII.
    package static func encoded(_ bytes: some Sequence<UInt8>, isPlain: (UInt8) -> Bool) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        let encoded = bytes.flatMap { byte in
            isPlain(byte) ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    /// Whether no address needs the byte encoded: it is a letter, a digit, or one of `-._~`.
    package static func isUnreserved(_ byte: UInt8) -> Bool {
        byte.isLetter || byte.isDigit || "-._~".utf8.contains(byte)
    }

    /// Decodes the escapes. Invalid ones are kept as they are.
    package static func decoded(_ text: some Collection<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = text[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2).compactMap(\.hexadecimal)
            guard byte == UInt8(ascii: "%"), digits.count == 2 else {
                bytes.append(byte)
                continue
            }
            bytes.append(digits[0] << 4 | digits[1])
            rest = rest.dropFirst(2)
        }
        return bytes
    }
}

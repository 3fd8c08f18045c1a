// SPDX-License-Identifier: MIT

import RadioFormats

/// Quotes parts of a configuration in messages: short, in one line, and without anything that may be a password.
enum SafeText {
    static let longest = 80

    /// The text in quotes, or a description of it.
    static func quoted(_ text: String) -> String {
        mayHoldSecret(text) ? "this text" : "'\(plain(text))'"
    }

    /// The text without control characters, cut to a readable length.
    static func plain(_ text: String, limit: Int = longest) -> String {
        let short = text.cut(toBytes: limit)
        let plain = String(short.unicodeScalars.map { isControl($0) ? "?" : Character($0) })
        return short.utf8.count < text.utf8.count ? plain + "…" : plain
    }

    /// A path as it is shown in messages.
    static func path(_ path: String) -> String {
        AddressText(path).isAddress ? plain(AddressText(path).redacted) : plain(path, limit: 500)
    }

    /// A key as it is shown in messages.
    static func key(_ key: String) -> String {
        mayHoldSecret(key) ? "(hidden)" : key.isEmpty ? "\"\"" : plain(key)
    }

    /// Whether the text may be an address, which may contain a user and password.
    static func mayHoldSecret(_ text: String) -> Bool {
        // Compares bytes, because a combining accent behind one of these characters would turn both into a different
        // Character.
        let bytes = Array(text.utf8)
        return bytes.indices.contains { index in
            bytes[index] == UInt8(ascii: "@") || bytes[index...].starts(with: "://".utf8)
                || bytes[index...].starts(with: "%40".utf8)
        }
    }

    static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
    }
}

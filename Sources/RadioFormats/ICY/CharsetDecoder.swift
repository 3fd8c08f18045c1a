// SPDX-License-Identifier: MIT

/// Makes text of bytes whose charset nobody declares: strict UTF-8, else what was configured, else Windows-1252.
///
/// UTF-8 that was encoded twice is undone. The caller keeps the raw bytes, for a guess can be wrong.
package struct CharsetDecoder: Hashable, Sendable {
    /// What the station uses where it is not UTF-8.
    package var configured: Charset?

    package init(configured: Charset? = nil) {
        self.configured = configured
    }

    package func decode(_ bytes: [UInt8]) -> String {
        if let text = Self.strictUTF8(bytes) { return Self.undoingDoubleEncoding(text) }
        if let configured {
            let text = configured.decode(bytes)
            if !text.unicodeScalars.contains("\u{FFFD}") { return text }
        }
        return Charset.windows1252.decode(bytes)
    }

    /// Decodes and makes fit to be shown, stored and sent on: see ``TitleText``.
    package func title(_ bytes: [UInt8]) -> String {
        TitleText.cleaned(decode(bytes))
    }

    /// Nil where the bytes are not UTF-8. A last character that was cut off by a full block is left out.
    private static func strictUTF8(_ bytes: [UInt8]) -> String? {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        guard
            let lead = bytes.suffix(3).lastIndex(where: { $0 >= 0xc2 }),
            bytes[(lead + 1)...].allSatisfy({ $0 & 0xc0 == 0x80 }),
            // A single accented letter at the end is more likely Latin-1 than a cut character.
            bytes[..<lead].contains(where: { $0 >= 0x80 })
        else { return nil }
        return String(validating: bytes[..<lead], as: UTF8.self)
    }

    /// Where every character is one byte of Windows-1252 (or Latin-1) and these bytes are UTF-8, somebody took UTF-8 for
    /// that charset and encoded it once more.
    private static func undoingDoubleEncoding(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { $0.value >= 0x80 }) else { return text }
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            guard let byte = UInt8(exactly: scalar.value) ?? windows1252Byte(scalar) else { return text }
            bytes.append(byte)
        }
        return String(validating: bytes, as: UTF8.self) ?? text
    }

    private static func windows1252Byte(_ scalar: Unicode.Scalar) -> UInt8? {
        guard scalar != "\u{FFFD}" else { return nil }
        let upper = Charset.windows1252.upperHalf.unicodeScalars.prefix(32)
        return zip(upper, 0x80...).first { $0.0 == scalar }.map { $0.1 }
    }
}

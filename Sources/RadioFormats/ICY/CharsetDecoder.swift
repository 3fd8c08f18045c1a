// SPDX-License-Identifier: MIT

/// Decodes bytes of an undeclared charset: UTF-16 with a byte order mark, unless a charset was configured; else strict
/// UTF-8, else the configured charset, else Windows-1252.
///
/// A double UTF-8 encoding is undone. The caller keeps the raw bytes, because a guess can be wrong.
package struct CharsetDecoder: Sendable {
    /// Converts bytes of a charset, with U+FFFD for bytes without a character; nil if the charset cannot be read. The
    /// system has the tables for that, so `Platform` provides the conversion.
    package typealias Conversion = @Sendable (_ bytes: [UInt8], _ charset: Charset) -> String?

    /// The charset of the station's texts that are not UTF-8.
    private let configured: Charset?
    private let convert: Conversion

    /// Without a conversion, texts that are neither Unicode nor Windows-1252 cannot be decoded.
    package init(configured: Charset? = nil, convert: @escaping Conversion = { _, _ in nil }) {
        self.configured = configured
        self.convert = convert
    }

    package func decode(_ bytes: [UInt8]) -> String {
        // The byte order mark is two letters in other charsets.
        if configured == nil, bytes.count >= 4, let text = Self.utf16(bytes) { return text }
        if configured?.hidesInASCII == true, let text = converted(bytes) { return text }
        if let text = Self.strictUTF8(bytes) { return Self.undoingDoubleEncoding(text) }
        return converted(bytes) ?? Windows1252.decode(bytes)
    }

    /// The text in the configured charset; nil if the bytes are not text of that charset.
    private func converted(_ bytes: [UInt8]) -> String? {
        guard let configured, configured != .utf8, let text = convert(bytes, configured),
            !text.unicodeScalars.contains("\u{FFFD}")
        else { return nil }
        return text
    }

    /// Decodes a title, and repairs and cleans it for display, storage and relaying: see ``TitleText``.
    package func title(_ bytes: [UInt8]) -> String {
        TitleText.repaired(decode(bytes))
    }

    /// Big endian first.
    static let byteOrderMarks: [[UInt8]] = [[0xfe, 0xff], [0xff, 0xfe]]

    /// Decodes UTF-16; nil without a byte order mark. An odd byte at the end is left out.
    static func utf16(_ bytes: some IndexedBytes) -> String? {
        guard let order = byteOrderMarks.firstIndex(where: { bytes.starts(with: $0) }) else { return nil }
        let units = stride(from: 2, to: bytes.count - 1, by: 2).map { place in
            UInt16(bytes[place + order]) << 8 | UInt16(bytes[place + 1 - order])
        }
        return String(decoding: units, as: UTF16.self)
    }

    /// Decodes UTF-8; nil if the bytes are not UTF-8. If the last character was cut off because the block was full, it
    /// is left out.
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

    /// Undoes a double encoding: if every character is one byte of Windows-1252 (or Latin-1) and these bytes are UTF-8,
    /// then UTF-8 was mistaken for that charset and encoded once more.
    private static func undoingDoubleEncoding(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { $0.value >= 0x80 }) else { return text }
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            guard let byte = Windows1252.byte(scalar) else { return text }
            bytes.append(byte)
        }
        return String(validating: bytes, as: UTF8.self) ?? text
    }
}

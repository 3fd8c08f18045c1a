// SPDX-License-Identifier: MIT

/// Encodes text for header fields, which are ASCII, as the encoded words of mail (RFC 2047).
package enum EncodedWord {
    /// The text as the value of a field: unchanged if it is printable ASCII, otherwise as encoded words with
    /// `separator`, which must be white space, between them.
    package static func encode(_ text: String, separator: String = " ") -> String {
        guard !isPlain(text) else { return text }
        var words: [String] = []
        var word: [UInt8] = []
        // A word holds whole characters only.
        for scalar in text.unicodeScalars {
            let bytes = UTF8.encode(scalar).map(Array.init) ?? []
            if word.count + bytes.count > longestWord {
                words.append(encoded(word))
                word = []
            }
            word += bytes
        }
        if !word.isEmpty { words.append(encoded(word)) }
        return words.joined(separator: separator)
    }

    /// The most bytes of UTF-8 in a word, so that the encoded word has at most 75 characters.
    private static let longestWord = 45

    private static func encoded(_ bytes: [UInt8]) -> String { "=?UTF-8?B?\(bytes.base64)?=" }

    /// Whether the text can be in a field as it is, and does not look encoded.
    private static func isPlain(_ text: String) -> Bool {
        text.utf8.allSatisfy { (0x20..<0x7F).contains($0) } && !text.contains("=?")
    }
}

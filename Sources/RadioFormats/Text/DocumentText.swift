// SPDX-License-Identifier: MIT

/// Decodes documents, such as playlists and feeds. Their programs insert texts from elsewhere, so one document may
/// contain UTF-8 and bytes of an old charset.
package enum DocumentText {
    /// UTF-16, with or without a byte order mark; else UTF-8; else the charset that an XML declaration states; else
    /// UTF-8, in which each byte that is not UTF-8 is read as Windows-1252.
    ///
    /// A stated charset counts only if the bytes are not UTF-8, because many programs change the charset and not the
    /// statement. ISO-2022-JP alone counts before UTF-8, because its bytes always are UTF-8.
    package static func decode(_ bytes: [UInt8], convert: CharsetDecoder.Conversion) -> String {
        if let text = CharsetDecoder.utf16(bytes) ?? unmarkedUTF16(bytes) { return text }
        let stated = statedCharset(bytes)
        if stated?.hidesInASCII != true, let text = String(validating: bytes, as: UTF8.self) { return text }
        if let stated, stated != .utf8, let text = convert(bytes, stated) { return text }
        return MixedText.decode(bytes, raw: Windows1252.scalar)
    }

    /// The charset that the XML declaration at the beginning states.
    private static func statedCharset(_ bytes: [UInt8]) -> Charset? {
        let head = bytes.prefix(200)
        guard let end = head.firstIndex(of: UInt8(ascii: ">")) else { return nil }
        let words = String(decoding: head[..<end], as: UTF8.self).split { " =\"'?".contains($0) }
        guard let key = words.firstIndex(of: "encoding"), words.indices.contains(key + 1) else { return nil }
        return Charset(name: String(words[key + 1]))
    }

    /// Decodes UTF-16 without a byte order mark, which begins with characters of ASCII; nil if the bytes do not.
    static func unmarkedUTF16(_ bytes: some IndexedBytes) -> String? {
        let beginning = bytes.prefix(8)
        guard beginning.count == 8 else { return nil }
        for order in [0, 1] {
            let isASCII = beginning.indices.allSatisfy { place in
                let isHigh = (place - beginning.startIndex) % 2 == order
                return isHigh ? beginning[place] == 0 : (0x09...0x7E).contains(beginning[place])
            }
            guard isASCII else { continue }
            return CharsetDecoder.utf16(CharsetDecoder.byteOrderMarks[order] + Array(bytes))
        }
        return nil
    }
}

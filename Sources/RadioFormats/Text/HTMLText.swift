// SPDX-License-Identifier: MIT

/// Reads text that may be HTML: scripts of stations and feeds escape titles, some of them twice.
package enum HTMLText {
    /// How often a text may have been escaped.
    private static let mostLayers = 3

    /// Removes the tags that occur in titles, and resolves named and numeric references, until nothing is left to
    /// resolve. Text that is no known reference or tag stays as it is.
    package static func plain(_ text: String) -> String {
        var text = text
        for _ in 0..<mostLayers {
            let plain = withoutLayer(text)
            guard plain != text else { break }
            text = plain
        }
        return text
    }

    private static func withoutLayer(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "<") }) else { return text }
        var plain: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.first {
            if byte == UInt8(ascii: "&"), let (scalar, length) = reference(rest) {
                plain += Array(String(scalar).utf8)
                rest = rest.dropFirst(length)
            } else if byte == UInt8(ascii: "<"), let length = tag(rest) {
                // A tag such as `<br>` separates words.
                plain.append(UInt8(ascii: " "))
                rest = rest.dropFirst(length)
            } else {
                plain.append(byte)
                rest = rest.dropFirst()
            }
        }
        return String(decoding: plain, as: UTF8.self)
    }

    /// The character that a named or numeric reference stands for; nil if it is unknown.
    package static func scalar(named name: some StringProtocol) -> Unicode.Scalar? {
        if name.first == "#" {
            let digits = name.dropFirst()
            let isHexadecimal = digits.first == "x" || digits.first == "X"
            let number = isHexadecimal ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
            // Browsers read these numbers as bytes of Windows-1252 (HTML Standard, numeric character references).
            if let number, 0x80...0x9f ~= number, let byte = UInt8(exactly: number) {
                return Windows1252.scalar(byte) == "\u{FFFD}" ? nil : Windows1252.scalar(byte)
            }
            return number.flatMap { $0 == 0 ? nil : Unicode.Scalar($0) }
        }
        return names[String(name)]
    }

    private static let longestReference = 12
    private static let longestTag = 512

    private static func reference(_ bytes: ArraySlice<UInt8>) -> (Unicode.Scalar, length: Int)? {
        guard let end = bytes.prefix(longestReference).firstIndex(of: UInt8(ascii: ";")),
            let scalar = scalar(named: String(decoding: bytes[bytes.startIndex + 1..<end], as: UTF8.self))
        else { return nil }
        return (scalar, end - bytes.startIndex + 1)
    }

    /// The length of a known HTML tag; nil for anything else, because a title may contain a `<` of its own.
    private static func tag(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard let end = bytes.prefix(longestTag).firstIndex(of: UInt8(ascii: ">")) else { return nil }
        var name = bytes[bytes.startIndex + 1..<end]
        if name.first == UInt8(ascii: "/") { name = name.dropFirst() }
        let word = name.prefix { $0.isLetter || $0.isDigit }
        guard tags.contains(String(decoding: word, as: UTF8.self).lowercased()) else { return nil }
        return end - bytes.startIndex + 1
    }

    private static let tags: Set<String> = [
        "a", "abbr", "b", "big", "br", "cite", "code", "div", "em", "font", "h1", "h2", "h3", "h4", "h5", "h6", "i",
        "img", "p", "small", "span", "strong", "sub", "sup", "tt", "u",
    ]
}

// SPDX-License-Identifier: MIT

import RadioFormats

/// Reads text that may be HTML, because many feeds escape their titles twice.
enum HTMLText {
    /// Removes the tags that occur in titles, and resolves named and numeric references once.
    static func plain(_ text: String) -> String {
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
    static func scalar(named name: some StringProtocol) -> Unicode.Scalar? {
        if name.first == "#" {
            let digits = name.dropFirst()
            let isHexadecimal = digits.first == "x" || digits.first == "X"
            let number = isHexadecimal ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
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
        let word = name.prefix { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || (0x30...0x39).contains(byte)
        }
        guard tags.contains(String(decoding: word, as: UTF8.self).lowercased()) else { return nil }
        return end - bytes.startIndex + 1
    }

    private static let tags: Set<String> = [
        "a", "abbr", "b", "big", "br", "cite", "code", "div", "em", "font", "h1", "h2", "h3", "h4", "h5", "h6", "i",
        "img", "p", "small", "span", "strong", "sub", "sup", "tt", "u",
    ]

    private static let names: [String: Unicode.Scalar] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}", "iexcl": "¡", "cent": "¢",
        "pound": "£", "yen": "¥", "sect": "§", "copy": "©", "laquo": "«", "shy": "\u{AD}", "reg": "®", "deg": "°",
        "plusmn": "±", "sup2": "²", "sup3": "³", "acute": "´", "micro": "µ", "para": "¶", "middot": "·", "raquo": "»",
        "frac14": "¼", "frac12": "½", "frac34": "¾", "iquest": "¿", "Agrave": "À", "Aacute": "Á", "Acirc": "Â",
        "Atilde": "Ã", "Auml": "Ä", "Aring": "Å", "AElig": "Æ", "Ccedil": "Ç", "Egrave": "È", "Eacute": "É",
        "Ecirc": "Ê", "Euml": "Ë", "Igrave": "Ì", "Iacute": "Í", "Icirc": "Î", "Iuml": "Ï", "Ntilde": "Ñ",
        "Ograve": "Ò", "Oacute": "Ó", "Ocirc": "Ô", "Otilde": "Õ", "Ouml": "Ö", "times": "×", "Oslash": "Ø",
        "Ugrave": "Ù", "Uacute": "Ú", "Ucirc": "Û", "Uuml": "Ü", "Yacute": "Ý", "szlig": "ß", "agrave": "à",
        "aacute": "á", "acirc": "â", "atilde": "ã", "auml": "ä", "aring": "å", "aelig": "æ", "ccedil": "ç",
        "egrave": "è", "eacute": "é", "ecirc": "ê", "euml": "ë", "igrave": "ì", "iacute": "í", "icirc": "î",
        "iuml": "ï", "ntilde": "ñ", "ograve": "ò", "oacute": "ó", "ocirc": "ô", "otilde": "õ", "ouml": "ö",
        "divide": "÷", "oslash": "ø", "ugrave": "ù", "uacute": "ú", "ucirc": "û", "uuml": "ü", "yacute": "ý",
        "yuml": "ÿ", "OElig": "Œ", "oelig": "œ", "Scaron": "Š", "scaron": "š", "ndash": "–", "mdash": "—", "lsquo": "‘",
        "rsquo": "’", "sbquo": "‚", "ldquo": "“", "rdquo": "”", "bdquo": "„", "dagger": "†", "bull": "•",
        "hellip": "…", "prime": "′", "lsaquo": "‹", "rsaquo": "›", "euro": "€", "trade": "™", "larr": "←", "rarr": "→",
        "hearts": "♥", "zwnj": "\u{200C}", "zwj": "\u{200D}",
    ]
}

// SPDX-License-Identifier: MIT

/// Windows-1252, in which bytes are read that are in no other known charset. It contains Latin-1 except for its control
/// characters.
package enum Windows1252 {
    /// The characters of the bytes from 0x80 to 0x9F, from the Unicode Consortium's mapping table; U+FFFD stands for a
    /// byte without a character. All other bytes are their own code points.
    private static let middle = Array(
        "€\u{FFFD}‚ƒ„…†‡ˆ‰Š‹Œ\u{FFFD}Ž\u{FFFD}\u{FFFD}‘’“”•\u{2013}\u{2014}˜™š›œ\u{FFFD}žŸ".unicodeScalars)
    private static let first: UInt8 = 0x80

    package static func scalar(_ byte: UInt8) -> Unicode.Scalar {
        byte >= first && Int(byte - first) < middle.count ? middle[Int(byte - first)] : Unicode.Scalar(byte)
    }

    package static func decode(_ bytes: some Sequence<UInt8>) -> String {
        var text = String.UnicodeScalarView()
        for byte in bytes { text.append(scalar(byte)) }
        return String(text)
    }

    /// The byte of a character; nil if there is none. Control characters of Latin-1 count as characters.
    static func byte(_ scalar: Unicode.Scalar) -> UInt8? {
        if let byte = UInt8(exactly: scalar.value) { return byte }
        guard scalar != "\u{FFFD}" else { return nil }
        return middle.firstIndex(of: scalar).map { first + UInt8($0) }
    }
}

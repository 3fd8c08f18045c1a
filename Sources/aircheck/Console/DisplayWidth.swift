// SPDX-License-Identifier: MIT

import RadioFormats

/// Measures the width of text in terminal columns, and cuts text to a width.
///
/// Approximates the East Asian Wide ranges of Unicode Standard Annex 11: two columns for CJK, Hangul, kana, full-width
/// forms and emoji, none for combining marks. Terminals differ for characters of several code points (families, skin
/// tones). Here the widths of the code points are added up. No
/// terminal uses more columns than this sum, so a line may come out too short, but never too long.
enum DisplayWidth {
    static func of(_ text: String) -> Int {
        text.unicodeScalars.reduce(0) { $0 + columns($1) }
    }

    /// The longest prefix of `text` that takes at most `width` columns, ending in "…" if anything was cut.
    static func cut(_ text: String, to width: Int) -> String {
        // Zero-width characters take bytes but no columns, so the bytes are limited, too.
        let text = text.cut(toBytes: max(0, min(width, 10_000)) * mostBytesPerColumn)
        guard of(text) > width else { return text }
        guard width > 1 else { return "" }
        var result = ""
        var used = 0
        for character in text {
            let columns = of(String(character))
            if used + columns > width - 1 { break }
            result.append(character)
            used += columns
        }
        while result.last == " " { result.removeLast() }
        return result + "…"
    }

    private static let mostBytesPerColumn = 32

    private static func columns(_ scalar: Unicode.Scalar) -> Int {
        switch scalar.value {
        // ASCII, Latin-1, and the shapes of the live line, up to the first wide one. Looking up the properties and the
        // table below takes far longer.
        case 0x20...0x7E, 0xA1...0xFF, 0x2580...0x25FC: return 1
        // Hangul vowels and final consonants join the preceding syllable.
        case 0x1160...0x11FF, 0xD7B0...0xD7FF: return 0
        // Variation selector 16 turns the preceding character into a wide emoji.
        case 0xFE0F: return 1
        // Regional indicators: two of them make a flag.
        case 0x1F1E6...0x1F1FF: return 1
        default: break
        }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .control: return 0
        case .format where scalar.properties.isDefaultIgnorableCodePoint: return 0
        default: break
        }
        if scalar.properties.isEmojiPresentation { return 2 }
        return wide.first { scalar.value <= $0.upperBound }?.contains(scalar.value) == true ? 2 : 1
    }

    /// In ascending order.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3,
        0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60,
        0xFFE0...0xFFE6, 0x16FE0...0x18CFF, 0x18D00...0x18D08, 0x1AFF0...0x1B2FB, 0x1F200...0x1F265,
        0x20000...0x3FFFD,
    ]
}

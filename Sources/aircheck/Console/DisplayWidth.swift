// SPDX-License-Identifier: MIT

/// How many columns of a terminal a text takes, and where to cut it so that it fits.
///
/// Follows the East Asian Wide ranges of Unicode Standard Annex 11 in outline: wide for CJK, Hangul, kana, full-width
/// forms and emoji, nothing for combining marks. A terminal may differ for a rare character; the line is then a column
/// off, never broken.
enum DisplayWidth {
    static func of(_ text: String) -> Int {
        text.reduce(0) { $0 + columns($1) }
    }

    /// The longest beginning of `text` that takes at most `width` columns, ended with "…" where something is missing.
    static func cut(_ text: String, to width: Int) -> String {
        guard of(text) > width else { return text }
        guard width > 1 else { return "" }
        var result = ""
        var used = 0
        for character in text {
            let columns = columns(character)
            if used + columns > width - 1 { break }
            result.append(character)
            used += columns
        }
        return result + "…"
    }

    private static func columns(_ character: Character) -> Int {
        guard let scalar = character.unicodeScalars.first else { return 0 }
        if scalar.properties.generalCategory == .nonspacingMark { return 0 }
        if scalar.properties.isEmojiPresentation { return 2 }
        return wide.contains { $0.contains(scalar.value) } ? 2 : 1
    }

    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
        0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD,
    ]
}

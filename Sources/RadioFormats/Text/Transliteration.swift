// SPDX-License-Identifier: MIT

/// Writes names in ASCII, for addresses that are derived from them.
package enum Transliteration {
    /// The text with letters of Latin, Cyrillic and Greek, kana and Hangul in small ASCII letters. Other characters
    /// stay as they are.
    package static func ascii(_ text: String) -> String {
        text.lowercased().unicodeScalars.map { letter($0) ?? String($0) }.joined()
    }

    private static func letter(_ scalar: Unicode.Scalar) -> String? {
        guard scalar.value >= 0x80 else { return nil }
        // A letter and its accent may be separate.
        if (0x300...0x36F).contains(scalar.value) { return "" }
        if let known = table[scalar] { return known }
        return byName(scalar)
    }

    /// Derives letters from Unicode's name of the character: LATIN SMALL LETTER E WITH ACUTE, KATAKANA LETTER RA,
    /// HANGUL SYLLABLE GA.
    private static func byName(_ scalar: Unicode.Scalar) -> String? {
        let words = (scalar.properties.name ?? "").split(separator: " ")
        switch words.first {
        case "LATIN" where words.count > 3 && words[2] == "LETTER" && words[3].utf8.count <= 2:
            return words[3].lowercased()
        case "HIRAGANA" where words.count > 2, "KATAKANA" where words.count > 2, "HANGUL" where words.count == 3:
            return words.last.map { $0.utf8.count <= 7 ? $0.lowercased() : "" }
        default: return nil
        }
    }

    private static let table: [Unicode.Scalar: String] = {
        let pairs =
            "а a б b в v г g ґ g д d ђ dj е e є ye ё yo ж zh з z ѕ dz и i і i ї yi й y ј j к k л l љ lj м m н n њ nj "
            + "о o п p р r с s т t ћ c у u ў u ф f х kh ц ts ч ch џ dz ш sh щ shch ъ - ы y ь - э e ю yu я ya ѓ g ќ k "
            + "α a β v γ g δ d ε e ζ z η i θ th ι i κ k λ l μ m ν n ξ x ο o π p ρ r σ s ς s τ t υ y φ f χ ch ψ ps ω o "
            + "ά a έ e ή i ί i ό o ύ y ώ o ϊ i ϋ y ΐ i ΰ y ß ss ð d þ th æ ae œ oe ı i"
        let words = pairs.split(separator: " ")
        var table: [Unicode.Scalar: String] = [:]
        for place in stride(from: 0, to: words.count - 1, by: 2) {
            guard let scalar = words[place].unicodeScalars.first else { continue }
            // A hyphen stands for a sign that has no sound.
            table[scalar] = words[place + 1] == "-" ? "" : String(words[place + 1])
        }
        return table
    }()
}

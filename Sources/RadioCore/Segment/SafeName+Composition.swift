// SPDX-License-Identifier: MIT

extension SafeName {
    /// Composes letters and their accents to one scalar where Unicode has one, as keyboards type them (NFC for the
    /// scripts of ``composable``; other text stays as it is).
    ///
    /// The standard library does not expose its normalisation, but its `Character`s are equal if they are canonically
    /// equivalent. So a decomposed letter, looked up in a set of all precomposed letters, yields the precomposed one.
    static func composed(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { $0.properties.canonicalCombiningClass != .notReordered })
        else { return text }
        var result = ""
        for character in text {
            let isSingle = character.unicodeScalars.dropFirst().isEmpty
            result.append(isSingle ? character : precomposed(character) ?? character)
        }
        return result
    }

    private static func precomposed(_ character: Character) -> Character? {
        composable.firstIndex(of: character).map { composable[$0] }
    }

    /// Every letter of Latin, Greek, Cyrillic and kana that has a code point of its own.
    private static let composable: Set<Character> = {
        var letters: Set<Character> = []
        let ranges: [ClosedRange<UInt32>] = [
            0x00C0...0x024F, 0x0386...0x03FF, 0x0400...0x04FF, 0x1E00...0x1FFF, 0x3041...0x30FF,
        ]
        for value in ranges.joined() {
            // In ascending order: of two equivalent scalars, the first is the one that Unicode prefers.
            if let scalar = Unicode.Scalar(value) { letters.insert(Character(scalar)) }
        }
        return letters
    }()
}

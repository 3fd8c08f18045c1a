// SPDX-License-Identifier: MIT

/// Decodes UTF-8 among which there are other bytes.
enum MixedText {
    /// `raw` gives the character for a byte that belongs to no UTF-8, or to none that `isText` accepts.
    static func decode(
        _ bytes: [UInt8], isText: (String) -> Bool = { _ in true }, raw: (UInt8) -> Unicode.Scalar
    ) -> String {
        var text = String.UnicodeScalarView()
        var rest = bytes[...]
        while let first = rest.first {
            let character = first < 0x80 ? nil : String(validating: rest.prefix(length(from: first)), as: UTF8.self)
            if let character, isText(character) {
                text.append(contentsOf: character.unicodeScalars)
                rest = rest.dropFirst(character.utf8.count)
            } else {
                text.append(first < 0x80 ? Unicode.Scalar(first) : raw(first))
                rest = rest.dropFirst()
            }
        }
        return String(text)
    }

    /// How many bytes the character has that begins with this byte; 1 for a byte that begins none.
    private static func length(from first: UInt8) -> Int {
        switch first {
        case 0xC2...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF4: 4
        default: 1
        }
    }
}

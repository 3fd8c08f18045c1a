// SPDX-License-Identifier: MIT

/// Makes titles from untrusted sources harmless for terminals, logs, pages and playlists.
package enum TitleText {
    /// Removes control characters and those that change the writing direction; turns line breaks, tabs and runs of
    /// blanks into one blank; removes blanks at both ends; cuts the text to ``longest``.
    ///
    /// Quoting for HTML, JSON or a file name is left to the code that writes such formats.
    package static func cleaned(_ text: String) -> String {
        cleaned(text, toBytes: longest)
    }

    /// The title that people should see, from the text that a station, a tag, a feed or a list states: without
    /// references and tags of HTML, with the artist and title out of automation fields, and cleaned. An advert, as far
    /// as the text shows it, is marked (``advert(_:)``).
    package static func repaired(_ text: String) -> String {
        // The part that is cut off would not be shown anyway.
        let plain = HTMLText.plain(text.cut(toBytes: 4 * longest))
        guard let fields = AutomationFields(plain) else { return cleaned(plain) }
        return fields.isAdvert ? advert(fields.title) : cleaned(fields.title)
    }

    /// The title of an advert: marked as one.
    package static func advert(_ title: String) -> String {
        let title = cleaned(title)
        return title.isEmpty ? "Advert" : isAdvert(title) ? title : cleaned("Advert: " + title)
    }

    /// Whether a title is that of an advert: its first word says so.
    package static func isAdvert(_ title: String) -> Bool {
        let word = title.prefix(15).prefix { $0.isLetter }.lowercased()
        return ["advert", "adverts", "advertisement", "advertisements"].contains(word)
    }

    /// The limit in bytes of UTF-8: the size of a metadata block, and some bytes for a longer encoding.
    package static let longest = 4 << 10

    /// Cleans a text in the same way with another limit, for texts that are usually shorter.
    package static func cleaned(_ text: String, toBytes limit: Int) -> String {
        var cleaned = String.UnicodeScalarView()
        var bytes = 0
        var isBlankDue = false
        for scalar in text.unicodeScalars {
            guard bytes <= limit else { break }
            if isBlank(scalar) {
                isBlankDue = !cleaned.isEmpty
            } else if !isHarmful(scalar) {
                if isBlankDue { cleaned.append(" ") }
                bytes += UTF8.width(scalar) + (isBlankDue ? 1 : 0)
                isBlankDue = false
                cleaned.append(scalar)
            }
        }
        let cut = String(cleaned).cut(toBytes: limit)
        return cut.last == " " ? String(cut.dropLast()) : cut
    }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09...0x0d, 0x20, 0x85, 0xa0, 0x2028, 0x2029: true
        default: false
        }
    }

    private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        // The control characters C0, DEL and C1.
        case 0x00...0x1f, 0x7f...0x9f: true
        // Marks, embeddings, overrides and isolates of the bidirectional algorithm.
        case 0x061c, 0x200e, 0x200f, 0x202a...0x202e, 0x2066...0x2069: true
        // Byte order mark, and code points that are not characters.
        case 0xfeff, 0xfff9...0xfffb, 0xfffe, 0xffff: true
        // Tags: invisible letters.
        case 0xe_0000...0xe_007f: true
        default: false
        }
    }
}

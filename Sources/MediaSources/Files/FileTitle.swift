// SPDX-License-Identifier: MIT

import RadioFormats

/// Makes a title from a file's name, for a file that contains no title.
package enum FileTitle {
    /// The last part of a path without extension, underscores and track number: `3/07 - Artist_-_Song.mp3` is
    /// "Artist - Song". A number that is followed by only a blank stays, because it may belong to the title.
    package static func title(ofFile path: String) -> String {
        var name = path.split(separator: "/").last ?? ""
        // Our own recordings have this extension while they grow.
        if name.hasSuffix(".part") { name = name.dropLast(5) }
        if let dot = name.lastIndex(of: "."), dot != name.startIndex { name = name[..<dot] }
        // Names that are not UTF-8 are usually Windows-1252.
        let words = PathText.replacingRawBytes(in: String(name)) { Windows1252.decode([$0]) }
        let text = TitleText.cleaned(String(words.map { $0 == "_" ? " " : $0 }))
        let bare = withoutTrackNumber(text)
        return bare.isEmpty ? text : bare
    }

    private static func withoutTrackNumber(_ text: String) -> String {
        let digits = text.prefix { ("0"..."9").contains($0) }
        guard (1...3).contains(digits.count) else { return text }
        let rest = text[digits.endIndex...].drop { $0 == " " }
        guard rest.hasPrefix("- ") || rest.hasPrefix(". ") else { return text }
        return String(rest.dropFirst(2))
    }
}

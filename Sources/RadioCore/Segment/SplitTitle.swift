// SPDX-License-Identifier: MIT

/// A stream's title, split into artist and title: stations send both in one line, with a dash between them.
package struct SplitTitle: Hashable, Sendable {
    /// The artist; nil if the line has no dash between blanks, or nothing on one side of the dash.
    package let artist: String?
    package let title: String

    /// Splits at the first hyphen, en dash or em dash between blanks, so that `A-ha - Take On Me` keeps its artist
    /// whole. Without such a dash, the title is the whole line without outer blanks.
    package init(_ line: String) {
        let words = line.split(whereSeparator: \.isWhitespace)
        guard let dash = words.firstIndex(where: { $0 == "-" || $0 == "–" || $0 == "—" }) else {
            artist = nil
            title = words.joined(separator: " ")
            return
        }
        let before = words[..<dash].joined(separator: " ")
        let after = words[(dash + 1)...].joined(separator: " ")
        artist = before.isEmpty || after.isEmpty ? nil : before
        title = after.isEmpty ? before : after
    }
}

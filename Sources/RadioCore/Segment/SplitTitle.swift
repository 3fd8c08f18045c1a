// SPDX-License-Identifier: MIT

/// A stream's title taken apart: stations send artist and title in one line, with a dash between them.
package struct SplitTitle: Hashable, Sendable {
    /// Nil where the line has no dash, or nothing on one side of it.
    package let artist: String?
    package let title: String

    /// Splits at the first hyphen, en dash or em dash that stands between blanks, so that `A-ha - Take On Me` has its
    /// artist whole. The line without blanks around it is the title where there is no such dash.
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

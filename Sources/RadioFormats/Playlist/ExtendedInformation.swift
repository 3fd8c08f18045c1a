// SPDX-License-Identifier: MIT

/// The text of an `#EXTINF` line of an M3U playlist: a length, perhaps attributes (`tvg-name="…"`), a comma, a title.
struct ExtendedInformation {
    var length: Duration?
    /// The title, repaired as by ``TitleText``; nil if the line has none.
    var title: String?
    /// What attributes say about the request, such as `http-user-agent="…"`.
    var options = EntryOptions()

    private static let mostAttributes = 32

    /// `text` is the line after `#EXTINF:`.
    init(_ text: Substring) {
        let (head, title) = Self.split(text)
        length = PlaylistLength.seconds(Playlist.trimmed(head)[...].prefix { $0 != " " })
        self.title = title.isEmpty ? nil : TitleText.repaired(String(title))
        // Apart from the fields of a request, attributes are about television.
        for (name, value) in Self.attributes(head) where EntryOptions.Field(option: name) != nil {
            options.add(name, String(value))
        }
    }

    /// The parts before and after the comma in front of the title, which is the first comma outside quotes. If a quote
    /// is never closed, it is the first comma.
    private static func split(_ text: Substring) -> (head: Substring, title: Substring) {
        var isQuoted = false
        let comma = text.firstIndex { character in
            if character == "\"" { isQuoted.toggle() }
            return character == "," && !isQuoted
        }
        guard let end = comma ?? text.firstIndex(of: ",") else { return (text, "") }
        return (text[..<end], text[text.index(after: end)...])
    }

    /// The attributes `name="value"`.
    private static func attributes(_ text: Substring) -> [(name: Substring, value: Substring)] {
        let parts = text.split(separator: "\"", maxSplits: 2 * mostAttributes, omittingEmptySubsequences: false)
        return stride(from: 0, to: parts.count - 1, by: 2).compactMap { place in
            let key = parts[place]
            guard let equals = key.lastIndex(of: "=") else { return nil }
            let name = key[..<equals].split(separator: " ").last ?? ""
            return (name, parts[place + 1])
        }
    }
}

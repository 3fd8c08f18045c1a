// SPDX-License-Identifier: MIT

/// Finds the entries of a playlist that are addresses of one station, by what the playlist itself says: they stand in
/// one item, or have one title. Directories title the servers of a station `(#1 - 23/500) Name`, `(#2 - 7/500) Name`.
struct StatedMirrors {
    /// The first entry of each item, by the index of the item's first reference.
    private var items: [Int: Int] = [:]
    private var titles: [String: Int] = [:]

    /// Adds the reference with this index, which becomes the entry with this number. Returns the first entry of the same
    /// station, and whether nothing but a title without a counter says so; nil if there is none.
    mutating func add(_ reference: Playlist.Entry, at index: Int, as entry: Int) -> (first: Int, isByTitle: Bool)? {
        let item = reference.mirrorOf ?? index
        let (title, hasCounter) = reference.title.map(Self.withoutCounters) ?? ("", false)
        let certain = items[item] ?? (hasCounter ? titles[title] : nil)
        let titled = title.isEmpty ? nil : titles[title]
        items[item] = certain ?? entry
        if !title.isEmpty { titles[title] = titled ?? certain ?? entry }
        return certain.map { ($0, false) } ?? titled.map { ($0, true) }
    }

    /// A title in lower case, without the parentheses that hold the number of a server, such as `(#1 - 23/500)`; and
    /// whether there were any.
    private static func withoutCounters(_ title: String) -> (title: String, hadCounter: Bool) {
        var kept = ""
        var rest = Substring(title)
        var hadCounter = false
        while let open = rest.firstIndex(of: "("), let close = rest[open...].firstIndex(of: ")") {
            kept += rest[..<open]
            let part = rest[open...close]
            let isCounter = part.firstIndex(of: "#").map { part[part.index(after: $0)].isNumber } ?? false
            if isCounter { hadCounter = true } else { kept += part }
            rest = rest[part.endIndex...]
        }
        return ((kept + rest).lowercased().split(separator: " ").joined(separator: " "), hadCounter)
    }
}

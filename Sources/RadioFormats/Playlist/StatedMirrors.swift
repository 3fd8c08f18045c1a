// SPDX-License-Identifier: MIT

/// Finds the entries of a playlist that are addresses of one station, by what the playlist itself says for certain:
/// they stand in one item, or have one title with numbers of servers. Directories title the servers of a station
/// `(#1 - 23/500) Name`, `(#2 - 7/500) Name`.
struct StatedMirrors {
    /// The first entry of each item, by the index of the item's first reference.
    private var items: [Int: Int] = [:]
    private var titles: [String: Int] = [:]

    /// Adds the reference with this index, which becomes the entry with this number. Returns the first entry of the
    /// same station; nil if there is none.
    mutating func add(_ reference: Playlist.Entry, at index: Int, as entry: Int) -> Int? {
        let item = reference.mirrorOf ?? index
        let (title, hasCounter) = reference.title.map(Self.withoutCounters) ?? ("", false)
        let first = items[item] ?? (hasCounter ? titles[title] : nil)
        items[item] = first ?? entry
        if !title.isEmpty { titles[title] = titles[title] ?? first ?? entry }
        return first
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

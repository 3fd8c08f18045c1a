// SPDX-License-Identifier: MIT

/// A key of a playlist in lines `key=value`: `File1` (PLS), `Ref1` (ASX), `Title1`, `Length1`; also `URL`, the key of a
/// saved link.
struct NumberedKey {
    enum Name { case file, title, length }

    let name: Name
    /// The number; 0 if there is none.
    let number: Int

    private static let names: [(text: String, name: Name)] = [
        ("file", .file), ("ref", .file), ("url", .file), ("title", .title), ("length", .length),
    ]

    /// `text` is the line before the `=`; nil if it is no such key.
    init?(_ text: Substring) {
        let key = text.lowercased().filter { $0 != " " && $0 != "\t" }
        guard let known = Self.names.first(where: { key.hasPrefix($0.text) }) else { return nil }
        let digits = key.dropFirst(known.text.count)
        guard digits.utf8.allSatisfy(\.isDigit), digits.isEmpty || Int(digits) != nil else {
            return nil
        }
        (name, number) = (known.name, Int(digits) ?? 0)
    }

    /// Whether a text begins with the line of such a key, or with the count of a list's entries.
    static func begins(_ bytes: some IndexedBytes) -> Bool {
        let key = bytes.prefix(24).prefix { $0 != UInt8(ascii: "=") }
        guard key.endIndex < bytes.endIndex, bytes[key.endIndex] == UInt8(ascii: "=") else { return false }
        let text = String(decoding: key, as: UTF8.self)
        return NumberedKey(text[...]) != nil || Playlist.trimmed(text[...]).lowercased() == "numberofentries"
    }
}

// SPDX-License-Identifier: MIT

/// How a playlist says that one of its entries must be requested.
///
/// Players have several notations for this: VLC's lines (`#EXTVLCOPT:http-user-agent=…`), Kodi's text behind a bar
/// (`http://…|User-Agent=…&Referer=…`) and its lines (`#KODIPROP:…stream_headers=…`), JSON (`#EXTHTTP:{…}`), and
/// attributes of `#EXTINF`. All of them mean header fields.
package struct EntryOptions: Hashable, Sendable {
    /// The header fields that a playlist may ask for.
    package enum Field: String, Hashable, Sendable, CaseIterable {
        case userAgent = "User-Agent"
        case referer = "Referer"
        case origin = "Origin"

        /// Finds a field by any player's name for it, such as `http-referrer`.
        init?(option name: Substring) {
            switch name.lowercased().filter({ $0 != "-" && $0 != "_" && $0 != " " }) {
            case "useragent", "httpuseragent": self = .userAgent
            case "referer", "referrer", "httpreferer", "httpreferrer": self = .referer
            case "origin", "httporigin": self = .origin
            default: return nil
            }
        }
    }

    /// The values of the requested fields: printable, at most ``longestValue`` bytes each.
    package private(set) var fields: [Field: String] = [:]
    /// The names of options that are not applied, each once; at most ``mostIgnored``.
    package private(set) var ignored: [String] = []

    static let longestValue = 1 << 10
    private static let mostIgnored = 16
    private static let longestName = 60

    package init() {}

    package var isEmpty: Bool { fields.isEmpty && ignored.isEmpty }

    /// Adds an option. The first value of a field counts.
    mutating func add(_ name: Substring, _ value: String) {
        guard let field = Field(option: name), Self.isUsable(value) else { return ignore(name) }
        fields[field] = fields[field] ?? value
    }

    private mutating func ignore(_ name: Substring) {
        let name = TitleText.cleaned(String(name), toBytes: Self.longestName)
        guard !name.isEmpty, ignored.count < Self.mostIgnored, !ignored.contains(name) else { return }
        ignored.append(name)
    }

    /// Adds the options of another notation. The first value of a field counts.
    mutating func add(_ more: EntryOptions) {
        fields.merge(more.fields) { first, _ in first }
        for name in more.ignored { ignore(name[...]) }
    }

    /// The names of the options that are not applied, of all entries together.
    package static func ignored(in entries: [EntryOptions]) -> [String] {
        var all = EntryOptions()
        for entry in entries { all.add(entry) }
        return all.ignored
    }

    private static func isUsable(_ value: String) -> Bool {
        (1...longestValue).contains(value.utf8.count) && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f }
    }
}

// MARK: - Notations

extension EntryOptions {
    /// Splits an address from Kodi's options behind a bar. An address without such options is returned unchanged.
    package static func split(_ address: String) -> (address: String, options: EntryOptions) {
        guard let bar = address.utf8.firstIndex(of: UInt8(ascii: "|")), address.contains("://") else {
            return (address, EntryOptions())
        }
        let options = EntryOptions(escaped: address[address.index(after: bar)...])
        // A query may contain bars, too.
        let isCut = !options.fields.isEmpty || options.ignored.contains { isLikeHeader($0[...]) }
        return isCut ? (Playlist.trimmed(address[..<bar]), options) : (address, EntryOptions())
    }

    /// Whether a name looks like that of a header field, such as `Cookie` or `X-Key`.
    private static func isLikeHeader(_ name: Substring) -> Bool {
        Field(option: name) != nil || headers.contains(name.lowercased())
            || name.utf8.contains(UInt8(ascii: "-")) && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" }
    }

    /// Names without a hyphen that Kodi's addresses have behind a bar.
    private static let headers: Set = [
        "accept", "auth", "authorization", "cookie", "host", "range", "seekable", "verifypeer",
    ]

    /// Reads `Name=value&Name=value`, with percent-encoded values.
    init(escaped text: Substring) {
        for part in text.split(separator: "&").prefix(Self.mostIgnored) {
            guard let equals = part.firstIndex(of: "="), equals != part.startIndex else { continue }
            add(part[..<equals], FileAddress.unescaped(part[part.index(after: equals)...]))
        }
    }

    /// Reads a line of an M3U playlist that may state options; returns whether it does.
    mutating func add(line: String) -> Bool {
        for (prefix, notation) in Self.lines where line.prefix(prefix.utf8.count).lowercased() == prefix {
            let text = line.dropFirst(prefix.count)
            switch notation {
            case .option: if let (name, value) = Self.assignment(text) { add(name, value) }
            case .property:
                guard let (name, value) = Self.assignment(text) else { break }
                if name.hasSuffix("_headers") { add(EntryOptions(escaped: value[...])) } else { ignore(name) }
            case .json:
                guard case .object(let object) = try? JSONValue(parsing: Array(text.utf8), limit: Self.longestValue * 4)
                else { break }
                for member in object.members { add(member.name[...], member.value.stringValue ?? "") }
            }
            return true
        }
        return false
    }

    private enum Notation { case option, property, json }

    private static let lines: [(prefix: String, notation: Notation)] = [
        ("#extvlcopt:", .option), ("#extvlcopt--", .option), ("#kodiprop:", .property), ("#exthttp:", .json),
    ]

    /// Reads `name=value`, as VLC's XSPF has it, too.
    mutating func add(option text: String) {
        if let (name, value) = Self.assignment(text[...]) { add(name, value) } else { ignore(text[...]) }
    }

    private static func assignment(_ text: Substring) -> (name: Substring, value: String)? {
        guard let equals = text.firstIndex(of: "=") else { return nil }
        return (text[..<equals], Playlist.trimmed(text[text.index(after: equals)...]))
    }
}

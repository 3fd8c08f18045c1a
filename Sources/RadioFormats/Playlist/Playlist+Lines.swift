// SPDX-License-Identifier: MIT

extension Playlist {
    /// The lines of a text, with any line ends, without blanks at either end.
    static func lines(_ text: String) -> [String] {
        text.unicodeScalars.split { $0 == "\n" || $0 == "\r" }.map { trimmed(Substring($0)) }
    }

    static func m3uReferences(_ lines: [String]) -> [Entry] {
        var references: [Entry] = []
        var title: String?
        var length: Duration?
        var options = EntryOptions()
        for line in lines where !line.isEmpty {
            if line.lowercased().hasPrefix("#extinf:") {
                let information = ExtendedInformation(line.dropFirst(8))
                (title, length) = (information.title, information.length)
                options.add(information.options)
            } else if !line.hasPrefix("#"), !isMarkup(line) {
                for address in addresses(line) {
                    var entry = reference(address, title: title, length: length)
                    entry.options.add(options)
                    references.append(entry)
                }
                (title, length, options) = (nil, nil, EntryOptions())
            } else {
                _ = options.add(line: line)
            }
        }
        return references
    }

    /// Whether a line is a script's warning, and not an address in angle brackets or a file's name.
    private static func isMarkup(_ line: String) -> Bool {
        line.hasPrefix("<") && line.contains(">") && !AddressText(String(line.dropFirst())).isAddress
    }

    /// The addresses in a line: usually one, which may contain blanks.
    private static func addresses(_ line: String) -> [String] {
        guard AddressText(line).isAddress, line.contains(" ") else { return [line] }
        let parts = line.split(separator: " ").map(String.init)
        return parts.allSatisfy { AddressText($0).isAddress } ? parts : [line]
    }

    /// An entry as a playlist writes it, with the options behind a bar in its address.
    static func reference(_ text: String, title: String? = nil, length: Duration? = nil) -> Entry {
        let (address, options) = EntryOptions.split(text)
        return Entry(url: address, title: title, length: length, options: options)
    }

    /// Whether the first line that is not empty or a comment is a section head or a numbered key.
    static func isNumbered(_ lines: [String]) -> Bool {
        guard let line = lines.first(where: { !$0.isEmpty && !$0.hasPrefix("#") && !$0.hasPrefix(";") }) else {
            return false
        }
        return line.hasPrefix("[") || NumberedKey.begins(Array(line.utf8)[...])
    }

    /// The entries in lines such as `File1=…` (PLS) or `Ref1=…` (ASX), in the order of the numbers in the keys.
    ///
    /// `NumberOfEntries` is ignored: it is often missing or wrong, and the entries have numbers. Entries that share a
    /// number, or have none, keep their order.
    static func numberedReferences(_ lines: [String]) -> [Entry] {
        var urls: [(number: Int, url: String)] = []
        var titles: [Int: String] = [:]
        var lengths: [Int: Duration] = [:]
        for line in lines {
            guard let equals = line.firstIndex(of: "="), let key = NumberedKey(line[..<equals]) else { continue }
            let value = trimmed(line[line.index(after: equals)...])
            guard !value.isEmpty else { continue }
            switch key.name {
            case .file: urls.append((key.number, value))
            case .title: titles[key.number] = titles[key.number] ?? TitleText.repaired(value)
            case .length: lengths[key.number] = lengths[key.number] ?? PlaylistLength.seconds(value[...])
            }
        }
        // The sort is stable.
        return urls.sorted { $0.number < $1.number }
            .map { reference($0.url, title: titles[$0.number], length: lengths[$0.number]) }
    }

    /// Removes blanks, NULs and byte order marks at both ends.
    static func trimmed(_ text: Substring) -> String {
        String(text.unicodeScalars.trimmed { $0.value <= 0x20 || $0 == "\u{feff}" })
    }
}

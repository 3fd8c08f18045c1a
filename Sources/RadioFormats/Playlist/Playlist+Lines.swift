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
            } else if !line.hasPrefix("#") {
                var entry = reference(line, title: title, length: length)
                entry.options.add(options)
                references.append(entry)
                (title, length, options) = (nil, nil, EntryOptions())
            } else {
                _ = options.add(line: line)
            }
        }
        return references
    }

    /// An entry as a playlist writes it, with the options behind a bar in its address.
    static func reference(_ text: String, title: String? = nil, length: Duration? = nil) -> Entry {
        let (address, options) = EntryOptions.split(text)
        return Entry(url: address, title: title, length: length, options: options)
    }

    /// The entries in lines such as `File1=…` (PLS) or `Ref1=…` (ASX), in the order of the numbers in the keys.
    ///
    /// `NumberOfEntries` is ignored: it is often missing or wrong, and the entries have numbers.
    static func numberedReferences(_ lines: [String], key wanted: String) -> [Entry] {
        var urls: [Int: String] = [:]
        var titles: [Int: String] = [:]
        var lengths: [Int: Duration] = [:]
        for line in lines {
            guard let equals = line.firstIndex(of: "=") else { continue }
            let key = line[..<equals].lowercased().filter { $0 != " " }
            let value = trimmed(line[line.index(after: equals)...])
            guard !value.isEmpty else { continue }
            if key.hasPrefix(wanted), let number = Int(key.dropFirst(wanted.count)) {
                urls[number] = urls[number] ?? unquoted(value)
            } else if key.hasPrefix("title"), let number = Int(key.dropFirst(5)) {
                titles[number] = titles[number] ?? TitleText.cleaned(value)
            } else if key.hasPrefix("length"), let number = Int(key.dropFirst(6)) {
                lengths[number] = lengths[number] ?? PlaylistLength.seconds(value[...])
            }
        }
        return urls.sorted { $0.key < $1.key }
            .map { reference($0.value, title: titles[$0.key], length: lengths[$0.key]) }
    }

    /// Removes the quotes that some writers put around an address.
    private static func unquoted(_ text: String) -> String {
        guard text.utf8.count > 1, let quote = text.utf8.first, quote == text.utf8.last,
            quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
        else { return text }
        return trimmed(text.dropFirst().dropLast())
    }

    /// Removes blanks, NULs and byte order marks at both ends.
    static func trimmed(_ text: Substring) -> String {
        func isOuter(_ scalar: Unicode.Scalar) -> Bool { scalar.value <= 0x20 || scalar == "\u{feff}" }
        let scalars = text.unicodeScalars
        guard let last = scalars.lastIndex(where: { !isOuter($0) }) else { return "" }
        return String(scalars[...last].drop(while: isOuter))
    }
}

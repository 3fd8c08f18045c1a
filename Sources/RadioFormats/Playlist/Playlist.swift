// SPDX-License-Identifier: MIT

/// The stations that a PLS or M3U file names, in its order.
package struct Playlist: Hashable, Sendable {
    package struct Entry: Hashable, Sendable {
        /// Absolute, http or https.
        package var url: String
        /// Cleaned as by ``TitleText``; nil where the playlist has none.
        package var title: String?

        package init(url: String, title: String? = nil) {
            self.url = url
            self.title = title
        }
    }

    package enum Problem: Error, Hashable, Sendable {
        /// Longer than ``longestBody``.
        case tooLong
        /// Has `#EXT-X-` lines: HTTP Live Streaming, no list of stations.
        case isHLS
        /// No line with an address that can be used.
        case noEntries
    }

    package static let longestBody = 64 << 10
    package static let mostEntries = 100
    package static let longestURL = 2 << 10

    package let kind: PlaylistKind
    /// 1 to ``mostEntries``; what a playlist names beyond is left out.
    package let entries: [Entry]

    /// Reads the body of a response.
    ///
    /// Relative addresses are resolved against `base`, the address that the playlist came from. Left out are entries
    /// that are not http or https, or longer than ``longestURL``. Text is UTF-8, with or without byte order mark, else
    /// Windows-1252; lines end with LF, CR or both.
    package init(_ body: [UInt8], kind: PlaylistKind, base: String) throws(Problem) {
        guard body.count <= Self.longestBody else { throw .tooLong }
        let lines = CharsetDecoder().decode(body).unicodeScalars
            .split { $0 == "\n" || $0 == "\r" }
            .map(Self.trimmed)
        guard !lines.contains(where: { $0.hasPrefix("#EXT-X-") }) else { throw .isHLS }
        let references =
            switch kind {
            case .pls: Self.plsReferences(lines)
            case .m3u: Self.m3uReferences(lines)
            }
        let base = URLReference(base)
        var entries: [Entry] = []
        for reference in references {
            guard entries.count < Self.mostEntries else { break }
            guard reference.url.utf8.count <= Self.longestURL else { continue }
            let url = URLReference(reference.url).resolved(against: base)
            guard url.isWebAddress, url.text.utf8.count <= Self.longestURL else { continue }
            entries.append(Entry(url: url.text, title: reference.title))
        }
        guard !entries.isEmpty else { throw .noEntries }
        self.kind = kind
        self.entries = entries
    }

    private static func m3uReferences(_ lines: [String]) -> [Entry] {
        var references: [Entry] = []
        var title: String?
        for line in lines where !line.isEmpty {
            if line.lowercased().hasPrefix("#extinf:") {
                let text = line.drop { $0 != "," }.dropFirst()
                title = text.isEmpty ? nil : TitleText.cleaned(String(text))
            } else if !line.hasPrefix("#") {
                references.append(Entry(url: line, title: title))
                title = nil
            }
        }
        return references
    }

    /// `NumberOfEntries` is not looked at: it is missing or wrong often enough, and the entries have numbers.
    private static func plsReferences(_ lines: [String]) -> [Entry] {
        var urls: [Int: String] = [:]
        var titles: [Int: String] = [:]
        for line in lines {
            guard let equals = line.firstIndex(of: "=") else { continue }
            let key = line[..<equals].lowercased().filter { $0 != " " }
            let value = trimmed(line[line.index(after: equals)...].unicodeScalars)
            guard !value.isEmpty else { continue }
            if key.hasPrefix("file"), let number = Int(key.dropFirst(4)) {
                urls[number] = urls[number] ?? value
            } else if key.hasPrefix("title"), let number = Int(key.dropFirst(5)) {
                titles[number] = titles[number] ?? TitleText.cleaned(value)
            }
        }
        return urls.sorted { $0.key < $1.key }.map { Entry(url: $0.value, title: titles[$0.key]) }
    }

    /// Without blanks, NULs and byte order marks at either end.
    private static func trimmed(_ line: Substring.UnicodeScalarView) -> String {
        func isOuter(_ scalar: Unicode.Scalar) -> Bool { scalar.value <= 0x20 || scalar == "\u{feff}" }
        guard let last = line.lastIndex(where: { !isOuter($0) }) else { return "" }
        return String(line[...last].drop(while: isOuter))
    }
}

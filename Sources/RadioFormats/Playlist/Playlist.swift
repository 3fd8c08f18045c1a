// SPDX-License-Identifier: MIT

/// The addresses of a playlist, in its order: PLS, M3U, XSPF or ASX.
package struct Playlist: Hashable, Sendable {
    package struct Entry: Hashable, Sendable {
        /// The absolute address, with the scheme http or https.
        package var url: String
        /// The entry's title, cleaned as by ``TitleText``; nil if the playlist states none.
        package var title: String?
        /// The playing time that the playlist claims; nil if it states no length, or if the entry is endless.
        package var length: Duration?
        /// How the playlist says that the entry must be requested.
        package var options: EntryOptions

        package init(
            url: String, title: String? = nil, length: Duration? = nil, options: EntryOptions = EntryOptions()
        ) {
            self.url = url
            self.title = title
            self.length = length
            self.options = options
        }
    }

    package enum Problem: Error, Hashable, Sendable {
        /// The playlist is longer than ``longestBody``.
        case tooLong
        /// The text has `#EXT-X-` lines: it is HTTP Live Streaming, not a list of stations.
        case isHLS
        /// The playlist has no address at all.
        case noEntries
        /// The playlist has addresses, but no web address. The scheme is that of the first address, such as `mms`.
        case noWebAddress(scheme: String)
    }

    /// The purpose for which a playlist is read, which determines the limits.
    package enum Purpose: Hashable, Sendable {
        /// Addresses of one programme.
        case station
        /// Items that are played one after the other, some of them more than once.
        case queue

        package var longestBody: Int { self == .station ? Playlist.longestBody : 4 << 20 }
        var mostEntries: Int { self == .station ? Playlist.mostEntries : 10_000 }
        /// The maximum number of references examined. References that are not web addresses, and duplicates, count as
        /// well, because examining them costs as much.
        var mostReferences: Int { self == .station ? 1_000 : 20_000 }
    }

    package static let longestBody = 64 << 10
    package static let mostEntries = 100
    package static let longestURL = 2 << 10
    private static let longestScheme = 16

    package let kind: PlaylistKind
    /// The entries. For a station: 1 to ``mostEntries`` entries, each address once; further entries are left out.
    package let entries: [Entry]
    /// How many references were not examined, because a limit was reached.
    package let leftOut: Int

    /// Parses the body of a response. Throws a ``Problem`` if it has no usable entry.
    ///
    /// Relative addresses are resolved against `base`, the address that the playlist came from. Entries that are not
    /// http or https, or longer than ``longestURL``, are left out. The text is read as UTF-8 (with or without a byte
    /// order mark), as UTF-16 if it has a byte order mark of UTF-16, and otherwise as Windows-1252. Lines end with LF,
    /// CR or both.
    package init(
        _ body: [UInt8], kind: PlaylistKind, base: String, for purpose: Purpose = .station
    ) throws(Problem) {
        guard body.count <= purpose.longestBody else { throw .tooLong }
        let (references, ownBase) = try Self.references(CharsetDecoder().decode(body), kind)
        var base = URLReference(base)
        base = base.resolved(against: base)
        // A long base is ignored, because each relative address becomes as long as its base.
        if let ownBase, ownBase.utf8.count <= Self.longestURL {
            base = URLReference(Self.trimmed(ownBase[...])).resolved(against: base)
        }
        var entries: [Entry] = []
        var known: Set<String> = []
        var otherScheme: String?
        var lookedAt = 0
        for reference in references.prefix(purpose.mostReferences) {
            guard entries.count < purpose.mostEntries else { break }
            lookedAt += 1
            guard reference.url.utf8.count <= Self.longestURL else { continue }
            let url = URLReference(reference.url).resolved(against: base)
            guard url.isWebAddress else {
                otherScheme = otherScheme ?? url.scheme
                continue
            }
            let text = url.text
            guard text.utf8.count <= Self.longestURL, known.insert(text).inserted || purpose == .queue else { continue }
            var entry = reference
            entry.url = text
            entries.append(entry)
        }
        if entries.isEmpty, let scheme = otherScheme, (2...Self.longestScheme).contains(scheme.utf8.count),
            !["http", "https"].contains(scheme)
        {
            throw .noWebAddress(scheme: scheme)
        }
        guard !entries.isEmpty else { throw .noEntries }
        self.kind = kind
        self.entries = entries
        leftOut = references.count - lookedAt
    }

    /// The references in the text, as written, and the base address that the text states, if any.
    static func references(
        _ text: String, _ kind: PlaylistKind
    ) throws(Problem) -> (references: [Entry], base: String?) {
        let lines = lines(text)
        switch kind {
        case .pls, .m3u:
            guard !lines.contains(where: { $0.hasPrefix("#EXT-X-") }) else { throw .isHLS }
            return (kind == .pls ? numberedReferences(lines, key: "file") : m3uReferences(lines), nil)
        case .xspf, .asx:
            if kind == .asx, !lines.contains(where: { $0.hasPrefix("<") }) {
                return (numberedReferences(lines, key: "ref"), nil)
            }
            let reader = MarkupReader(text)
            return (reader.references, reader.base)
        }
    }
}

// SPDX-License-Identifier: MIT

/// The addresses of a playlist, in its order: PLS, M3U, XSPF or ASX.
package struct Playlist: Hashable, Sendable {
    package struct Entry: Hashable, Sendable {
        /// The absolute address, with the scheme http or https.
        package var url: String
        /// The entry's title, repaired as by ``TitleText``; nil if the playlist states none.
        package var title: String?
        /// The playing time that the playlist claims; nil if it states no length, or if the entry is endless.
        package var length: Duration?
        /// How the playlist says that the entry must be requested.
        package var options: EntryOptions
        /// The index of the first entry that is, by what the playlist says for certain, an address of the same station.
        /// See ``StatedMirrors``. Nil for that first entry itself, and in a list of items to play.
        package var mirrorOf: Int?

        package init(
            url: String, title: String? = nil, length: Duration? = nil, options: EntryOptions = EntryOptions(),
            mirrorOf: Int? = nil
        ) {
            self.url = url
            self.title = title
            self.length = length
            self.options = options
            self.mirrorOf = mirrorOf
        }
    }

    package enum Problem: Error, Hashable, Sendable {
        /// The playlist is longer than ``longestBody``.
        case tooLong
        /// The text has tags of HLS (``HLSMark``): it is HTTP Live Streaming, not a list of stations.
        case isHLS
        /// The playlist has no address at all.
        case noEntries
        /// The playlist has addresses, but no web address. The scheme is that of the first address, such as `mms`.
        case noWebAddress(scheme: String)
    }

    /// What a playlist is read as, which determines the limits.
    package enum Role: Hashable, Sendable {
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
    /// http or https, or longer than ``longestURL``, are left out. ``DocumentText`` decodes the text, with `convert`
    /// for stated charsets. Lines end with LF, CR or both.
    package init(
        _ body: [UInt8], kind: PlaylistKind, base: String, for role: Role = .station,
        convert: CharsetDecoder.Conversion = { _, _ in nil }
    ) throws(Problem) {
        guard body.count <= role.longestBody else { throw .tooLong }
        let (references, ownBase) = try Self.references(DocumentText.decode(body, convert: convert), kind)
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
        var mirrors = StatedMirrors()
        for (index, reference) in references.prefix(role.mostReferences).enumerated() {
            guard entries.count < role.mostEntries else { break }
            lookedAt += 1
            guard (1...Self.longestURL).contains(reference.url.utf8.count) else { continue }
            let url = URLReference(PlaylistAddress.read(reference.url)).resolved(against: base)
            guard url.isWebAddress else {
                otherScheme = otherScheme ?? url.scheme
                continue
            }
            let text = url.text
            guard text.utf8.count <= Self.longestURL, known.insert(text).inserted || role == .queue else { continue }
            var entry = reference
            entry.url = text
            entry.mirrorOf = role == .station ? mirrors.add(reference, at: index, as: entries.count) : nil
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
    ///
    /// `kind` is what the beginning or the type of the response suggests. The text itself decides, because lists of one
    /// kind are sent under the name of another.
    static func references(
        _ text: String, _ kind: PlaylistKind
    ) throws(Problem) -> (references: [Entry], base: String?) {
        let lines = lines(text)
        guard !lines.contains(where: HLSMark.begins) else { throw .isHLS }
        if lines.first(where: { !$0.isEmpty })?.hasPrefix("<") == true || [.xspf, .asx, .markup].contains(kind) {
            let reader = MarkupReader(text)
            if !reader.references.isEmpty { return (reader.references, reader.base) }
        }
        let numbered = isNumbered(lines) ? numberedReferences(lines) : []
        guard numbered.isEmpty else { return (numbered, nil) }
        // A line of any text may be a relative address, but only in M3U is it meant as one.
        return (
            m3uReferences(kind == .m3u ? lines : lines.filter { $0.hasPrefix("#") || AddressText($0).isAddress }), nil
        )
    }
}

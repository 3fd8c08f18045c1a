// SPDX-License-Identifier: MIT

/// The entries of a playlist on a disk, in the playlist's order. An entry is a file, or the address of something that
/// is not on the disk.
package struct FilePlaylist: Hashable, Sendable {
    package enum Location: Hashable, Sendable {
        /// The path of a file; relative to the playlist's folder unless it begins with a slash.
        case path(String)
        /// An address of something that is not on the disk, such as `http://…`.
        case address(String)
    }

    package struct Entry: Hashable, Sendable {
        package var location: Location
        /// The entry's title, repaired as by ``TitleText``; nil if the playlist states none.
        package var title: String?
        /// The playing time that the playlist claims.
        package var length: Duration?
        /// How the playlist says that an address must be requested.
        package var options: EntryOptions

        package init(
            location: Location, title: String? = nil, length: Duration? = nil, options: EntryOptions = EntryOptions()
        ) {
            self.location = location
            self.title = title
            self.length = length
            self.options = options
        }
    }

    package static let longestBody = 16 << 20
    package static let mostEntries = 100_000
    /// The longest path or address in bytes; a longer path cannot be opened, and is left out.
    package static let longestPlace = 4096

    /// The entries in the playlist's order and with its repetitions; at most ``mostEntries``.
    package let entries: [Entry]
    /// The number of entries beyond ``mostEntries``, which are left out.
    package let leftOut: Int

    /// Parses a playlist, decoding the text as ``Playlist`` does. If the playlist is too long or HLS, the result has no
    /// entries.
    ///
    /// M3U contains plain file names. XSPF, and `file:` URLs in any playlist, percent-encode them. In a name without a
    /// slash, a backslash counts as a slash, because playlists with such names come from Windows.
    package init(_ body: [UInt8], kind: PlaylistKind, convert: CharsetDecoder.Conversion = { _, _ in nil }) {
        guard body.count <= Self.longestBody,
            let found = try? Playlist.references(DocumentText.decode(body, convert: convert), kind)
        else {
            (entries, leftOut) = ([], 0)
            return
        }
        leftOut = max(0, found.references.count - Self.mostEntries)
        entries = found.references.prefix(Self.mostEntries).compactMap { reference in
            let text = Playlist.trimmed(reference.url[...])
            return text.isEmpty || text.utf8.count > Self.longestPlace
                ? nil
                : Entry(
                    location: Self.location(text, kind), title: reference.title, length: reference.length,
                    options: reference.options)
        }
    }

    private static func location(_ text: String, _ kind: PlaylistKind) -> Location {
        // In M3U, quotes may belong to a file's name.
        let text = kind == .m3u ? text : PlaylistAddress.unquoted(text)
        if scheme(of: text) != nil {
            return FileAddress(text).map { .path($0.path) } ?? .address(PlaylistAddress.read(text))
        }
        if kind == .xspf { return .path(FileAddress.path(text[...])) }
        return .path(text.contains("/") ? text : String(text.map { $0 == "\\" ? "/" : $0 }))
    }

    /// `x:` is a Windows drive, and a file name may contain a colon, so only `file:` and names before `://` count as
    /// schemes.
    private static func scheme(of text: String) -> String? {
        guard let colon = text.firstIndex(of: ":") else { return nil }
        let scheme = text[..<colon].lowercased()
        let isScheme = scheme.utf8.count > 1 && scheme.utf8.allSatisfy { $0 < 0x80 && $0 != UInt8(ascii: "/") }
        guard isScheme, scheme == "file" || text[colon...].hasPrefix("://") else { return nil }
        return scheme
    }
}

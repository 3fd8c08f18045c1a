// SPDX-License-Identifier: MIT

/// An ID3v1 tag: the last 128 bytes of an MP3 file, with texts of at most 30 bytes each.
package struct ID3v1Tag: Hashable, Sendable {
    package static let length = 128

    /// Empty if there is none.
    package var title: String
    package var artist: String

    /// Parses the tag of which these bytes consist; nil if it is none.
    package init?(_ bytes: some IndexedBytes) {
        let bytes = Array(bytes)
        guard bytes.count == Self.length, bytes.starts(with: "TAG".utf8) else { return nil }
        title = Self.text(bytes[3..<33])
        artist = Self.text(bytes[33..<63])
    }

    /// "Artist - Title", the way a station would announce it; the title alone without an artist; nil without a title.
    package var streamTitle: String? {
        guard !title.isEmpty else { return nil }
        return artist.isEmpty ? title : "\(artist) - \(title)"
    }

    /// A text, which NULs or blanks fill up to its length.
    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        TitleText.cleaned(ID3TextEncoding.latin1.strings(in: bytes, limit: 1).first ?? "")
    }
}

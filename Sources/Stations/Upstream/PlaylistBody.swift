// SPDX-License-Identifier: MIT

import RadioFormats

/// The body of a playlist, gathered whole: a value.
struct PlaylistBody {
    private let kind: PlaylistKind
    private(set) var bytes: [UInt8]

    /// A playlist of which `beginning` has come.
    init(_ kind: PlaylistKind, _ beginning: [UInt8]) {
        (self.kind, bytes) = (kind, beginning)
    }

    /// Throws where there are more bytes than a playlist has.
    mutating func append(_ more: UnsafeRawBufferPointer) throws(Playlist.Problem) {
        bytes += more
        if bytes.count > Playlist.longestBody { throw .tooLong }
    }

    /// The addresses in it; relative ones are seen from `base`.
    func entries(base: String) throws(Playlist.Problem) -> [String] {
        try Playlist(bytes, kind: kind, base: base).entries.map(\.url)
    }
}

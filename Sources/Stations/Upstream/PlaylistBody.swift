// SPDX-License-Identifier: MIT

import Platform
import RadioFormats

/// Gathers the body of a playlist.
struct PlaylistBody {
    let kind: PlaylistKind
    private(set) var bytes: [UInt8]

    /// `beginning` is the part of the body already received.
    init(_ kind: PlaylistKind, _ beginning: [UInt8]) {
        (self.kind, bytes) = (kind, beginning)
    }

    /// Appends received bytes. Throws if the body is longer than a playlist may be.
    mutating func append(_ more: UnsafeRawBufferPointer) throws(Playlist.Problem) {
        bytes += more
        if bytes.count > Playlist.longestBody { throw .tooLong }
    }

    /// The playlist; relative addresses are resolved against `base`.
    func playlist(base: String) throws(Playlist.Problem) -> Playlist {
        try Playlist(bytes, kind: kind, base: base, convert: SystemCharsets.convert)
    }
}

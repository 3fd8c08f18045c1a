// SPDX-License-Identifier: MIT

/// What a response turns out to be.
package enum ContentGuess: Hashable, Sendable {
    /// Audio that can be framed.
    case audio(Container)
    case playlist(PlaylistKind)
    /// An HTTP Live Streaming playlist.
    case hls
    case html
    case json
    case xml
    /// Readable text of no known kind.
    case text
    /// Something known that is not supported; its name in words for people.
    case unsupported(String)
    /// Nothing that is known.
    case unknown
    /// It cannot be said before more bytes are there.
    case undecided
}

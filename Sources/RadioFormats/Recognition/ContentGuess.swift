// SPDX-License-Identifier: MIT

/// What a response turns out to be.
package enum ContentGuess: Hashable, Sendable {
    /// The kinds of audio that can be framed.
    package enum Audio: String, Hashable, Sendable, CaseIterable {
        case mpeg, adts, ogg
    }

    case audio(Audio)
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

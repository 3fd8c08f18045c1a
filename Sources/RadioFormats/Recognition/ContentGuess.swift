// SPDX-License-Identifier: MIT

/// The kind of a response.
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
    /// A known kind that is not supported, with its name for people.
    case unsupported(String)
    /// No known kind.
    case unknown
    /// More bytes are needed to tell.
    case undecided
}

extension ContentGuess {
    /// Whether the first bytes are those of a podcast feed.
    package var isFeed: Bool { self == .unsupported(ContentHint.feed) }
}

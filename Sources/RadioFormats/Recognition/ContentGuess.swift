// SPDX-License-Identifier: MIT

/// The kind of a response.
package enum ContentGuess: Hashable, Sendable {
    /// Audio that can be framed.
    case audio(Container)
    /// A format from which frames must be taken out before they are framed.
    case wrapped(Wrapper)
    case playlist(PlaylistKind)
    /// An HTTP Live Streaming playlist.
    case hls
    case html
    case json
    case xml
    /// Readable text of no known kind.
    case text
    /// Content of a known kind that Aircheck does not support. The text is the name of that kind, for messages.
    case unsupported(String)
    /// Content of no known kind.
    case unknown
    /// More bytes are needed to tell.
    case undecided
}

extension ContentGuess {
    /// Whether the first bytes are those of a podcast feed.
    package var isFeed: Bool { self == .unsupported(ContentHint.feed) }
}

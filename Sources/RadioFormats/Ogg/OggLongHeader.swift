// SPDX-License-Identifier: MIT

/// A header packet that is too long to be held, without the attachments that make it long: covers and other long fields
/// of its comments. A decoder needs none of them.
struct OggLongHeader {
    private let start: [UInt8]
    private var comments: VorbisCommentReader?

    /// What precedes the attachments in a header packet.
    struct Layout {
        /// The length of the bytes at the start of the packet that are kept.
        var start: Int
        /// Whether comments follow the start, whose short fields are kept; otherwise, all the rest is left out.
        var hasComments: Bool
    }

    /// `beginning` contains at least the packet's start.
    init(_ layout: Layout, _ beginning: ArraySlice<UInt8>) {
        start = Array(beginning.prefix(layout.start))
        if layout.hasComments { comments = VorbisCommentReader() }
        take(beginning.dropFirst(layout.start))
    }

    /// Takes the next bytes of the packet.
    mutating func take(_ bytes: ArraySlice<UInt8>) { comments?.take(bytes) }

    /// The packet without its attachments, once all of it has been taken.
    var packet: [UInt8] { start + (comments?.comments.encoded ?? []) }
}

// SPDX-License-Identifier: MIT

/// An ID3v2 tag, which names a file or a stretch of a stream.
///
/// Tags are written as version 2.4 (``encoded(size:)``), and read in 2.2, 2.3 and 2.4 (``init(parsing:)``). Spec
/// followed: the informal standards of id3.org for the three versions.
package struct ID3v2Tag: Hashable, Sendable {
    /// The frames in the order in which they are written; if room is short, the first frames win.
    package var frames: [ID3v2Frame]

    package init(frames: [ID3v2Frame] = []) {
        self.frames = frames
    }

    /// `TIT2`.
    package var title: String? { text("TIT2") }
    /// `TPE1`.
    package var artist: String? { text("TPE1") }

    /// "Artist - Title", the way a station would announce it; the title alone without an artist; nil without a title.
    package var streamTitle: String? {
        guard let title else { return nil }
        guard let artist else { return title }
        return "\(artist) - \(title)"
    }

    /// The first text frame with that name that is not empty.
    package func text(_ id: String) -> String? {
        for case .text(id, let value) in frames where !value.isEmpty { return value }
        return nil
    }
}

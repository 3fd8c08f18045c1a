// SPDX-License-Identifier: MIT

/// Finds ICY metadata in a stream that is said to have none: some servers send it without the header that says so.
///
/// It looks at the beginning of a stream and after each place where frames did not follow each other, for a block is
/// not audio either; all else goes by unread.
package struct MetadataSpotter: Sendable {
    /// How many bytes are looked at, each time.
    package static let window = 128 << 10

    private var left = window
    private var matched = 0

    package init() {}

    /// Something in the stream was no audio.
    package mutating func lookAgain() {
        left = Self.window
    }

    /// Whether the beginning of a title (`StreamTitle='`) ends in these bytes, the next ones of the stream.
    package mutating func spots(in bytes: UnsafeRawBufferPointer) -> Bool {
        guard left > 0 else { return false }
        left -= min(left, bytes.count)
        for byte in bytes {
            // The first letter occurs in the mark only once, so after a match that breaks off only that letter can
            // begin a new one.
            matched = byte == Self.mark[matched] ? matched + 1 : byte == Self.mark[0] ? 1 : 0
            if matched == Self.mark.count {
                matched = 0
                return true
            }
        }
        return false
    }

    private static let mark = Array("StreamTitle='".utf8)
}

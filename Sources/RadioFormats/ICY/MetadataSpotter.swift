// SPDX-License-Identifier: MIT

/// Finds ICY metadata in a stream that is said to have none: some servers send it without the header that says so.
///
/// It examines the beginning of a stream and the bytes after each place where frames did not follow each other, because
/// a block is not audio either. All other bytes pass unread.
package struct MetadataSpotter: Sendable {
    /// The number of bytes examined each time.
    package static let window = 128 << 10

    private var left = window
    private var matched = 0

    package init() {}

    /// Examines the next bytes, because something in the stream was no audio.
    package mutating func lookAgain() {
        left = Self.window
    }

    /// Whether the beginning of a title (`StreamTitle='`) ends in these bytes, the next ones of the stream.
    package mutating func spots(in bytes: UnsafeRawBufferPointer) -> Bool {
        guard left > 0 else { return false }
        left -= min(left, bytes.count)
        for byte in bytes {
            // The first letter occurs in the mark only once, so after a broken match only that letter can begin a new
            // one.
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

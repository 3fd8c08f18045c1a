// SPDX-License-Identifier: MIT

/// Finds ICY metadata in a stream that does not announce it in a header: some servers send metadata without the header.
///
/// It examines the beginning of a stream, and the bytes after each break between frames: a metadata block causes such a
/// break, because it is not audio. Other bytes are not examined.
package struct MetadataSpotter: Sendable {
    /// The number of bytes examined each time.
    package static let window = 128 << 10

    private var left = window
    private var matched = 0

    package init() {}

    /// Examines the next ``window`` bytes. Call it when something in the stream was not audio.
    package mutating func lookAgain() {
        left = Self.window
    }

    /// Whether the beginning of a title (`StreamTitle='`) is completed in these bytes, which are the next ones of the
    /// stream.
    package mutating func spots(in bytes: UnsafeRawBufferPointer) -> Bool {
        guard left > 0 else { return false }
        left -= min(left, bytes.count)
        for byte in bytes {
            // The first letter occurs only once in the searched text, so after a failed match only that letter can
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

// SPDX-License-Identifier: MIT

/// What reading all of a file has shown. A value.
package struct SegmentCheck: Hashable, Sendable {
    package var frames: Int64 = 0
    /// Bytes of frames.
    package var bytes: Int64 = 0
    package var samples: Int64 = 0
    /// Frames whose own checksum is wrong; recorded as they came.
    package var wrongChecksums: Int64 = 0
    /// Bytes that are neither frames nor anything that belongs into the file.
    package var foreignBytes: Int64 = 0

    package init() {}
}

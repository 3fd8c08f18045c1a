// SPDX-License-Identifier: MIT

/// The checksum of all frames of a file, in order: what `cksum` (POSIX) says of their bytes. A value.
///
/// Heads, tags and pages do not count, because people edit tags, and a longer comment moves and renumbers the pages of
/// an Ogg file.
package struct AudioChecksum: Hashable, Sendable {
    private var crc: UInt32 = 0
    private var length: UInt64 = 0

    package init() {}

    /// Takes frames, or any part of one.
    package mutating func take(_ bytes: UnsafeRawBufferPointer) {
        crc = CRC32.update(crc, bytes)
        length += UInt64(bytes.count)
    }

    /// Takes the packets in whole Ogg pages.
    package mutating func take(packetsOf pages: UnsafeRawBufferPointer) {
        for page in OggPageList(pages) { take(page.payload) }
    }

    /// The checksum of everything that was taken. The length counts as well, so that leading zeros do.
    package var value: UInt32 {
        var crc = crc
        var rest = length
        while rest > 0 {
            crc = CRC32.update(crc, UInt8(truncatingIfNeeded: rest))
            rest >>= 8
        }
        return ~crc
    }
}

// SPDX-License-Identifier: MIT

import CLibXXHash
import RadioFormats

/// The checksum of all frames of a file, in order: XXH64 with the seed 0, as `xxh64sum` prints it.
///
/// Heads, tags and pages do not count, because people edit tags, and a longer comment moves and renumbers the pages of
/// an Ogg file. XXH64 shows any damage, but not a forgery.
package struct AudioChecksum: Sendable {
    private var state = ac_xxh64()

    package init() { ac_xxh64_begin(&state) }

    /// Adds bytes of frames. The bytes of one frame may be passed in several calls.
    package mutating func take(_ bytes: UnsafeRawBufferPointer) {
        ac_xxh64_take(&state, bytes.baseAddress, bytes.count)
    }

    /// Takes the packets in whole Ogg pages.
    package mutating func take(packetsOf pages: UnsafeRawBufferPointer) {
        for page in OggPageList(pages) { take(page.payload) }
    }

    /// The checksum of everything that was taken.
    package var value: UInt64 {
        var state = state
        return ac_xxh64_value(&state)
    }
}

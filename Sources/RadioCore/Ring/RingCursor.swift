// SPDX-License-Identifier: MIT

/// A consumer's place in a ring: the next byte to read.
///
/// Two plain numbers, so that thousands of cursors cost nothing. A cursor lies inside a frame while that frame is
/// partly sent. It leaves a slab only at the slab's end, which is the end of a frame.
package struct RingCursor: Hashable, Comparable, Sendable {
    /// The number of the slab, counted since the station came up.
    package var slab: Int64
    /// The offset of the next byte in the slab.
    package var offset: Int

    package init(slab: Int64, offset: Int) {
        self.slab = slab
        self.offset = offset
    }

    package static func < (left: RingCursor, right: RingCursor) -> Bool {
        (left.slab, left.offset) < (right.slab, right.offset)
    }
}

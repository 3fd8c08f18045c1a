// SPDX-License-Identifier: MIT

/// A consumer's place in a ring: the next byte that it has not had.
///
/// Plain numbers: thousands of them cost nothing. A cursor inside a frame is one whose frame is half sent; it leaves a
/// slab only at the slab's end, which is the end of a frame.
package struct RingCursor: Hashable, Comparable, Sendable {
    /// Which slab, counted since the station came up.
    package var slab: Int64
    /// Offset of the next byte in the slab.
    package var offset: Int

    package init(slab: Int64, offset: Int) {
        self.slab = slab
        self.offset = offset
    }

    package static func < (left: RingCursor, right: RingCursor) -> Bool {
        (left.slab, left.offset) < (right.slab, right.offset)
    }
}

// SPDX-License-Identifier: MIT

/// A sink's claim that a hub keep some audio behind the newest frame, with the timeline for it. It lasts as long as
/// this object.
///
/// The ring is as deep as the deepest claim, and shrinks when that claim is released.
package final class RingClaim {
    package let depth: Duration
    package let bytes: Int
    /// The timeline is kept from this frame on, even if the ring has dropped the frame; nil to keep the timeline only
    /// as long as the ring.
    package var timelineStart: Int64?
    private weak var hub: StreamHub?

    init(_ depth: Duration, _ bytes: Int, on hub: StreamHub) {
        self.depth = depth
        self.bytes = bytes
        self.hub = hub
    }

    deinit { hub?.fitDepth() }
}

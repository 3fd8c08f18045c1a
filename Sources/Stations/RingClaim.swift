// SPDX-License-Identifier: MIT

/// A sink's wish that a hub keeps some audio behind the newest frame, and what applies there, for as long as the claim is
/// held. Confined to the loop's thread.
///
/// The ring is as deep as the deepest claim, and shrinks again when that is let go of.
package final class RingClaim {
    package let depth: Duration
    package let bytes: Int
    /// The timeline is kept from this frame on, although the ring may have dropped it; nil where it ends with the ring.
    package var timelineStart: Int64?
    private weak var hub: StreamHub?

    init(_ depth: Duration, _ bytes: Int, on hub: StreamHub) {
        self.depth = depth
        self.bytes = bytes
        self.hub = hub
    }

    deinit { hub?.fitDepth() }
}

// SPDX-License-Identifier: MIT

/// A sink's wish that a hub keeps some audio behind the newest frame, for as long as the claim is held. Confined to the
/// loop's thread.
///
/// The ring is as deep as the deepest claim, and shrinks again when that is let go of.
package final class RingClaim {
    package let depth: Duration
    private weak var hub: StreamHub?

    init(_ depth: Duration, on hub: StreamHub) {
        self.depth = depth
        self.hub = hub
    }

    deinit { hub?.letGo(of: self) }
}

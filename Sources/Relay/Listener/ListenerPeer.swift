// SPDX-License-Identifier: MIT

import RadioCore

/// What is kept of a listener only where it is a recorder or a relay. Players are thousands, and have none.
final class ListenerPeer {
    /// The relays that it stands for.
    let hops: [RelayID]
    /// Gaps of its wire before it joined.
    let gapsBefore: Int
    /// Audio from there on is not for it.
    var end: RingCursor?

    init(hops: [RelayID], gapsBefore: Int) {
        self.hops = hops
        self.gapsBefore = gapsBefore
    }
}

// SPDX-License-Identifier: MIT

import RadioCore

/// State that only recorders and relays need. Players, of which there are thousands, have none.
final class ListenerPeer {
    /// The relays that the listener serves.
    let hops: [RelayID]
    /// The number of gaps in the output stream before the listener joined.
    let gapsBefore: Int
    /// Where the listener's audio ends.
    var end: RingCursor?

    init(hops: [RelayID], gapsBefore: Int) {
        self.hops = hops
        self.gapsBefore = gapsBefore
    }
}

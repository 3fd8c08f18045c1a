// SPDX-License-Identifier: MIT

import RadioCore

/// Where a player that is sent the fallback resumes when its station is back.
final class Home {
    /// Where the player left the station; nil if it joined while the station was unavailable.
    let place: (stream: ListenerStream, cursor: RingCursor)?

    init(_ place: (stream: ListenerStream, cursor: RingCursor)?) {
        self.place = place
    }
}

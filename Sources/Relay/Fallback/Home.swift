// SPDX-License-Identifier: MIT

import RadioCore

/// Where a player that hears the fallback goes on when its station is back.
final class Home {
    /// Where it left the station; nil for a listener that came while there was no station.
    let place: (wire: Wire, cursor: RingCursor)?

    init(_ place: (wire: Wire, cursor: RingCursor)?) {
        self.place = place
    }
}

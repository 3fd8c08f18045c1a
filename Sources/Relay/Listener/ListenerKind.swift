// SPDX-License-Identifier: MIT

import HTTPServer
import Stations

/// What a listener gets besides the station's own audio, and what becomes of it where that is missing.
enum ListenerKind: Hashable {
    /// Is kept with filler while the station is away, and goes on at the live edge after a gap.
    case player
    /// On a mount that sends nothing that is made up. It may record as well: it is sent all that there is, on the same
    /// connection, also after a gap.
    case plain
    /// Said in its request that it records or relays: it gets no filler, all of the audio that there is, and the end
    /// of the connection wherever some is missing. So it finds out about the gap, and comes back for what follows.
    case recorder

    init(_ head: HTTPRequestHead, mountHasFiller: Bool) {
        if head[FillerField.name.lowercased()]?.lowercased() == FillerField.none {
            self = .recorder
        } else {
            self = mountHasFiller ? .player : .plain
        }
    }
}

// SPDX-License-Identifier: MIT

import EventLoop
package import Instants
import RadioFormats

/// What players of a mount are sent, as the page and `/status.json` say it.
package enum MountState: String, CaseIterable, Hashable, Sendable {
    /// The station.
    case live
    /// Silence in the station's format, because the station is unavailable.
    case silence
    /// The fallback, because the station is unavailable.
    case fallback
    /// Nothing.
    case off
}

extension Mount {
    /// What players are sent now.
    package var state: MountState {
        let stream = sink?.stream
        if let stream, stream.hasAudio, !stream.outage.isAway(reactor.now) { return .live }
        guard settings.hasFiller else { return .off }
        if fallback?.plays(stream?.format?.kind) == true { return .fallback }
        guard let stream, stream.hasAudio, stream.comfort != nil, !isAwayForGood(stream, for: .player)
        else { return .off }
        return .silence
    }

    /// Since when the station has been on the air, if it is, or else since when it has not been.
    package var stateSince: WallInstant {
        let outage = sink?.stream?.outage
        let instant = (state == .live ? outage?.beganAt : outage?.lastAudio) ?? idleSince
        return reactor.wallNow - (reactor.now - instant)
    }

    /// The title of what players are sent; nil if there is none.
    package var sentTitle: String? {
        switch state {
        case .live: onAirTitle
        case .fallback: fallback?.title
        case .silence, .off: nil
        }
    }
}

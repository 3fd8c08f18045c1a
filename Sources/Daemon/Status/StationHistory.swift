// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import Stations

/// What has happened to a station since the daemon began. A value.
struct StationHistory {
    private(set) var gaps = 0
    private(set) var missing = Duration.zero
    private(set) var splices = 0
    private(set) var failure: Failure?
    /// Since when the station has sent no audio, and whether that has been reported.
    private var trouble: (since: MonotonicInstant, isSaid: Bool)?

    /// How long a station may send no audio before it counts as down.
    static let patience = Duration.seconds(60)

    /// Notes what a programme says. Returns for how long the station was down, if it has just come back.
    mutating func note(_ notice: StationNotice, _ now: MonotonicInstant) -> Duration? {
        switch notice {
        case .failed(let failure, _):
            self.failure = failure
            if trouble == nil { trouble = (now, false) }
        case .gap(let gap):
            gaps += 1
            missing += gap.length ?? .zero
            return comeBack(now)
        case .spliced:
            splices += 1
            return comeBack(now)
        case .live: return comeBack(now)
        case .connecting, .connected, .followedPlaylist, .hedging, .hedgeFailed, .stretch, .skipped: break
        }
        return nil
    }

    /// Whether the station has just become down. True once for each time.
    mutating func hasGone(_ now: MonotonicInstant) -> Bool {
        guard let trouble, !trouble.isSaid, now - trouble.since >= Self.patience else { return false }
        self.trouble?.isSaid = true
        return true
    }

    /// Ends the present trouble unreported: no use needs the station any more.
    mutating func forgetTrouble() { trouble = nil }

    private mutating func comeBack(_ now: MonotonicInstant) -> Duration? {
        defer { trouble = nil }
        guard let trouble, trouble.isSaid else { return nil }
        return now - trouble.since
    }
}

// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import Stations

/// What has happened to all stations since the daemon began, by their IDs. A value.
struct StationHistories {
    private var histories: [String: StationHistory] = [:]

    subscript(station: String) -> StationHistory { histories[station] ?? StationHistory() }

    /// Notes what a programme says. Returns for how long the station was down, if it has just come back.
    mutating func note(_ notice: StationNotice, of station: String, _ now: MonotonicInstant) -> Duration? {
        histories[station, default: StationHistory()].note(notice, now)
    }

    /// The stations that have just become down, in order, each with its newest failure. Each is returned once.
    mutating func takeDown(_ now: MonotonicInstant) -> [(station: String, failure: Failure?)] {
        histories.keys.sorted().filter { histories[$0]?.hasGone(now) == true }.map { ($0, histories[$0]?.failure) }
    }

    /// Ends the present trouble of a station unreported: no use needs it any more.
    mutating func forgetTrouble(of station: String) { histories[station]?.forgetTrouble() }
}

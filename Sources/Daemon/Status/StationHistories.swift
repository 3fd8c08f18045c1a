// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import Recorder
import Stations

/// The histories of all stations since the daemon began, by station ID.
struct StationHistories {
    private var histories: [String: StationHistory] = [:]

    subscript(station: String) -> StationHistory { histories[station] ?? StationHistory() }

    /// Records a notice of a station. Returns how long the station was down if this notice ends the outage.
    mutating func note(_ notice: StationNotice, of station: String, _ now: MonotonicInstant) -> Duration? {
        histories[station, default: StationHistory()].note(notice, now)
    }

    /// Records a notice of a recording of a station.
    mutating func note(_ notice: RecorderNotice, of station: String, _ now: MonotonicInstant) {
        histories[station, default: StationHistory()].note(notice, now)
    }

    /// Returns the stations that have gone down since the last call, in order, each with its latest failure.
    mutating func takeDown(_ now: MonotonicInstant) -> [(station: String, failure: Failure?)] {
        histories.keys.sorted().filter { histories[$0]?.hasGone(now) == true }.map {
            ($0, histories[$0]?.lastFailure(at: now)?.failure)
        }
    }

    /// Ends the current outage of a station without a report, because no use needs the station any more.
    mutating func forgetOutage(of station: String) { histories[station]?.forgetOutage() }
}

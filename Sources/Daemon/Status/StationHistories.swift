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
        silent.filter { histories[$0]?.hasGone(now) == true }.map {
            ($0, histories[$0]?.lastFailure(at: now)?.failure)
        }
    }

    /// Continues the outages that an earlier run of the daemon has reported.
    mutating func resume(_ faults: [StandingFault], _ clocks: ClockReading) {
        for fault in faults where fault.isTold && fault.use == nil {
            let since = clocks.instant(of: min(fault.since, clocks.wall))
            histories[fault.station, default: StationHistory()].resume(outageSince: since)
        }
    }

    /// The stations that send no audio.
    func outages(_ clocks: ClockReading) -> [StandingFault] {
        histories.compactMap { station, history in
            history.outage.map { outage in
                StandingFault(
                    station: station, since: clocks.wall(at: outage.since),
                    cause: history.lastFailure(at: clocks.now)?.failure.message ?? Downtimes.unknownCause,
                    isTold: outage.isReported)
            }
        }
    }

    /// The IDs of the stations that send no audio, sorted.
    var silent: [String] { histories.filter { $0.value.outage != nil }.keys.sorted() }

    /// Ends the current outage of a station because no use needs the station any more. Returns how long the station was
    /// down if people were told of the outage.
    mutating func endOutage(of station: String, _ now: MonotonicInstant) -> Duration? {
        histories[station]?.endOutage(now)
    }
}

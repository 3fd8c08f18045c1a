// SPDX-License-Identifier: MIT

import Configuration
import Engine
import Instants

extension DaemonStatus.Station {
    /// The status of a configured station at this moment. `runs` finds the station's programme and mount in the engine's
    /// `snapshot`.
    init(
        _ station: StationConfiguration, _ runs: Reconciler, _ snapshot: EngineSnapshot, _ history: StationHistory,
        recordings: [DaemonStatus.Recording], at now: MonotonicInstant
    ) {
        let programme = runs.programme(station.id).flatMap { snapshot.programmes[$0] }
        self.init(id: station.id, name: station.name, programme: programme ?? ProgrammeSnapshot())
        if station.relay != nil {
            path = MountPurpose.path(of: station.id)
            mount = runs.use(UseKey(station.id, .mount)).flatMap { snapshot.uses[$0] as? MountProgress }
        }
        self.recordings = recordings
        (gaps, missing, splices) = (history.gaps, history.missing, history.splices)
        failure = history.lastFailure(at: now)
    }
}

extension DaemonStatus.Recording {
    /// A recording of a configured station. `window` is the span of air time to record.
    init(
        _ key: UseKey, id: String, of station: StationConfiguration, window: Range<WallInstant>?,
        _ snapshot: RecordingSnapshot?
    ) {
        self.init(key: key, id: id)
        show = key.broadcast.map { broadcast in
            station.shows.first { $0.show.id == broadcast.show }?.show.name ?? broadcast.show
        }
        self.window = window
        self.snapshot = snapshot
    }
}

// SPDX-License-Identifier: MIT

import Configuration

extension UseKey.Kind {
    /// Continuous recording.
    package static let log = Self("log", rank: 1, metric: "always")
}

/// Records stations all the time.
struct LogPurpose: Purpose, Addition {
    init(_ context: DaemonContext) {}

    func add(to plan: inout RunningPlan, for settings: LoadedConfiguration) {
        for station in settings.configuration.stations where station.record == .always {
            plan.add(UseKey(station.id, .log), RecordingPlan(of: station, in: settings))
        }
    }
}

// SPDX-License-Identifier: MIT

import Configuration
import RadioCore
import Testing

@testable import Daemon

struct StationNamesTests {
    @Test("D35: The second station of a name has its ID in the names of its files; the first keeps its names")
    func twins() {
        var stations = ["one", "two", "three"].map { DaemonRig.station($0) }
        for (index, name) in ["Jazz", "jazz", nil].enumerated() {
            (stations[index].name, stations[index].record) = (name, .always)
        }
        var configuration = Configuration()
        configuration.stations = stations
        let plan = RunningPlan(configuration, airings: [], manual: [], userAgent: "test")
        let names = stations.map { station -> String? in
            guard case .recording(let recording)? = plan.uses[UseKey(station.id, .log)]?.purpose else { return "none" }
            return recording.stationName
        }
        #expect(names == ["Jazz", "jazz (two)", nil])
    }
}

// SPDX-License-Identifier: MIT

import Configuration
import Instants
import RadioCore
import Stations
import TestSupport
import Testing

@testable import Daemon

struct StationNamesTests {
    /// The names of the stations in the names of their files.
    private static func names(_ configuration: Configuration) -> [String?] {
        var plan = RunningPlan(configuration.stations)
        LogPurpose(.alone).add(to: &plan, for: LoadedConfiguration(configuration))
        return configuration.stations.map { station in
            plan.uses[UseKey(station.id, .log)]?.plan.recording.map(\.stationName) ?? "none"
        }
    }

    @Test("D35: The second station of a name has its ID in the names of its files; the first keeps its names")
    func twins() {
        var stations = ["one", "two", "three"].map { DaemonRig.station($0) }
        for (index, name) in ["Jazz", "jazz", nil].enumerated() {
            (stations[index].name, stations[index].record) = (name, .always)
        }
        var configuration = Configuration()
        configuration.stations = stations
        #expect(Self.names(configuration) == ["Jazz", "jazz (two)", nil])
    }

    @Test("D35: Names that differ, but not in names of files, count as equal") func safeTwins() {
        var stations = ["one", "two"].map { DaemonRig.station($0) }
        for (index, name) in ["A/B", "A:B"].enumerated() {
            (stations[index].name, stations[index].record) = (name, .always)
        }
        var configuration = Configuration()
        configuration.stations = stations
        #expect(Self.names(configuration) == ["A/B", "A:B (two)"])
    }

    @Test("F32: Listeners see the ID of a station that has no name") func unnamed() throws {
        let stream = LiveStream(Broadcast([.music(.seconds(20))], seed: 1), burst: 24_000, fields: [:])
        let rig = try DaemonRig(["fip": LiveScript(.stream(stream))])
        var station = DaemonRig.station("fip")
        (station.name, station.source.name) = (nil, nil)
        rig.apply(try rig.configuration([station]), for: 2)
        let answer = rig.reactor.ask("HEAD /fip HTTP/1.0\r\n\r\n", port: rig.port)
        #expect(answer.text.contains("\r\nicy-name: fip\r\n"), "\(answer.text)")
    }

    @Test("D35: Each file belongs to one station, although two servers send names that files cannot tell apart")
    func serversNames() throws {
        let programmes = (1...2).map { Broadcast([.music(.seconds(120))], seed: UInt64($0)) }
        func server(_ index: Int, _ name: String) -> LiveScript {
            let stream = LiveStream(programmes[index], burst: 24_000, fields: ["icy-name": name])
            return LiveScript(.stream(stream))
        }
        let rig = try DaemonRig(["one": server(0, "A/B"), "two": server(1, "A:B")])
        var stations = ["one", "two"].map { DaemonRig.station($0, record: .always) }
        for index in stations.indices {
            stations[index].name = nil
            stations[index].source.name = nil
            stations[index].files.segment = .period(.seconds(20))
            stations[index].files.name = try NameTemplate(parsing: "{station}")
        }
        rig.apply(try rig.configuration(stations), for: 70)
        rig.daemon.stop()
        rig.run(5)
        let sidecars = try rig.sidecars()
        #expect(sidecars.count == rig.files.count && sidecars.count >= 6, "\(rig.files)")
        for (name, sidecar) in sidecars {
            let index = try #require(["one", "two"].firstIndex(of: sidecar.stationID ?? ""))
            let file = try #require(rig.files.first { $0.hasPrefix("\(name).") })
            let report = FrameChecker(programmes[index]).check(try rig.audio(file))
            #expect(report.foreign == 0 && report.places.count > 0, "\(name): \(report)")
            #expect(sidecar.station == ["A/B", "A:B"][index], "\(sidecar)")
        }
    }
}

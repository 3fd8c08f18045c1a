// SPDX-License-Identifier: MIT

import Configuration
import Engine
import Instants
import RadioCore
import RadioFormats
import Recorder
import Stations
import TestSupport
import Testing

@testable import Daemon

/// A recording whose list changes to another station.
struct ChangeOfStationTests {
    @Test("A35: After a restart, a recording continues with the entry of the list that it had, and waits for it")
    func restart() throws {
        func server(_ seed: UInt64, _ absences: [LiveScript.Absence] = []) -> LiveScript {
            let stream = LiveStream(
                Broadcast([.music(.seconds(160))], seed: seed), burst: 24_000, fields: ["icy-pub": "0"])
            return LiveScript(.stream(stream), absences: absences)
        }
        let list = LiveScript(.text("#EXTM3U\nhttp://a.test/\nhttp://b.test/\n", type: "audio/x-mpegurl"))
        let gone = LiveScript.Absence(.seconds(25), for: .seconds(20), .gone)
        let rig = try DaemonRig(["mine": list, "a.test": server(1, [gone]), "b.test": server(2)])
        let configuration = try rig.configuration([DaemonRig.station("mine", record: .always)])
        try rig.beginWithCatalog(configuration, for: 20)
        rig.crash(away: .seconds(10))
        try rig.startAgain(configuration)
        rig.run(40)
        let checker = FrameChecker(Broadcast([.music(.seconds(160))], seed: 1))
        let reports = try rig.files.map { checker.check(try rig.audio($0)) }
        #expect(reports.count == 2 && reports.allSatisfy { $0.foreign == 0 && $0.places.count > 400 }, "\(reports)")
        let status = rig.daemon.status(rig.snapshot).stations.first?.programme.station
        #expect(status?.info?.entry == StationInfo.Entry(number: 1, count: 2) && status?.activity == .delivering)
    }

    @Test(
        "A35: A recording that has another station than before the restart does not continue the earlier one",
        arguments: ["A", nil] as [String?])
    func otherAfterRestart(name: String?) throws {
        func server(_ name: String?, seed: UInt64, _ absences: [LiveScript.Absence] = []) -> LiveScript {
            let stream = LiveStream(
                Broadcast([.music(.seconds(160))], seed: seed), burst: 24_000,
                fields: name.map { ["icy-name": $0] } ?? ["icy-pub": "0"])
            return LiveScript(.stream(stream), absences: absences)
        }
        let list = LiveScript(.text("#EXTM3U\nhttp://a.test/\nhttp://b.test/\n", type: "audio/x-mpegurl"))
        let away = LiveScript.Absence(.zero, for: .seconds(25), .gone)
        let rig = try DaemonRig(["mine": list, "a.test": server(name, seed: 1, [away]), "b.test": server("B", seed: 2)])
        let configuration = try rig.configuration([DaemonRig.station("mine", record: .always)])
        try rig.beginWithCatalog(configuration, for: 15)
        rig.crash(away: .seconds(15))
        try rig.startAgain(configuration, for: 15)
        rig.daemon.stop()
        rig.run(5)
        let sidecars = try rig.sidecars().values
        #expect(sidecars.count == 2 && sidecars.allSatisfy { $0.continues == nil && $0.gaps.isEmpty }, "\(sidecars)")
        let said = rig.events.compactMap { event -> [String?]? in
            if case .station("mine", .chose(let new, let old?)) = event { [old.name, new.name] } else { nil }
        }
        #expect(said == [["B", name]])
    }

    @Test("A31: A change of station, where it is allowed, is in the log, in JSON, in sidecars and in names of files")
    func anyEntry() throws {
        func server(_ name: String, seed: UInt64, _ absences: [LiveScript.Absence] = []) -> LiveScript {
            let stream = LiveStream(
                Broadcast([.music(.seconds(160))], seed: seed), burst: 24_000, fields: ["icy-name": name])
            return LiveScript(.stream(stream), absences: absences)
        }
        let list = LiveScript(.text("#EXTM3U\nhttp://a.test/\nhttp://b.test/\n", type: "audio/x-mpegurl"))
        let gone = LiveScript.Absence(.seconds(20), for: .seconds(600), .gone)
        let rig = try DaemonRig(["mine": list, "a.test": server("A", seed: 1, [gone]), "b.test": server("B", seed: 2)])
        var station = DaemonRig.station("mine", record: .always)
        station.source.takesAnyEntry = true
        rig.apply(try rig.configuration([station]), for: 60)
        let entry = try #require(rig.daemon.status(rig.snapshot).stations.first?.programme.station?.info?.entryJSON)
        #expect(entry["number"] == 2 && entry["station"] == "B")
        rig.daemon.stop()
        rig.run(5)
        let changes = rig.events.compactMap { event -> String? in
            if case .station("mine", .changed(let old, let info)) = event { "\(old.name) → \(info.name)" } else { nil }
        }
        #expect(changes == ["A → B"])
        let outcome = rig.events.compactMap { event -> RecordingOutcome? in
            if case .recordingEnded(_, _, let outcome) = event { outcome } else { nil }
        }
        #expect(outcome.map { $0.station?.entryJSON } == [entry])
        let sidecars = try rig.sidecars()
        #expect(sidecars.values.compactMap(\.station).sorted() == ["B", "mine"])
        #expect(sidecars.allSatisfy { $0.key.hasPrefix("\($0.value.station ?? "") ") })
    }

    @Test("A34: Another station at one address, and the return, are in log, JSON, sidecars and names of files")
    func oneAddress() throws {
        let programmes = [1, 2].map { Broadcast([.music(.seconds(160))], seed: $0) }
        let script = LiveScript { visit in
            let isOther = (20..<40).contains(visit.time.inSeconds)
            let end: Duration? = isOther ? .seconds(40) : visit.time < .seconds(20) ? .seconds(20) : nil
            return .stream(
                LiveStream(
                    programmes[isOther ? 1 : 0], burst: 24_000,
                    faults: end.map { [.at($0 - visit.time, .reset)] } ?? [],
                    fields: ["icy-name": isOther ? "B" : "A"]))
        }
        let rig = try DaemonRig(["mine": script])
        rig.apply(try rig.configuration([DaemonRig.station("mine", record: .always)]))
        func entry() -> JSONValue? {
            rig.daemon.status(rig.snapshot).stations.first?.programme.station?.info?.entryJSON
        }
        rig.run(35)
        let other = try #require(entry())
        #expect(other["station"] == "B" && other["number"] == .null && other["url"] == "http://mine/live")
        rig.run(25)
        #expect(entry() == nil)
        rig.daemon.stop()
        rig.run(5)
        let changes = rig.events.compactMap { event -> String? in
            if case .station("mine", .changed(_, let info)) = event { info.name } else { nil }
        }
        #expect(changes == ["B", "A"])
        let outcomes = rig.events.compactMap { event -> RecordingOutcome? in
            if case .recordingEnded(_, _, let outcome) = event { outcome } else { nil }
        }
        #expect(outcomes.flatMap(\.report.segments).map(\.station) == ["mine", "B", "mine"])
        let sidecars = try rig.sidecars()
        #expect(sidecars.values.compactMap(\.station).sorted() == ["B", "mine", "mine"])
        for (name, sidecar) in sidecars {
            #expect(name.hasPrefix("\(sidecar.station ?? "") "))
            let audio = try rig.audio(name + ".mp3")
            let report = FrameChecker(programmes[sidecar.station == "B" ? 1 : 0]).check(audio)
            // Each connection lasts 20 s.
            #expect(report.foreign == 0 && report.lost.isEmpty && report.places.count > 700, "\(name): \(report)")
        }
    }
}

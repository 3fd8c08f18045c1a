// SPDX-License-Identifier: MIT

import Configuration
import Instants
import RadioCore
import RadioFormats
import Storage
import TestSupport
import TestTools
import Testing
import WallClock

@testable import Daemon

/// Shows of a running daemon whose clock is set, or wrong.
struct ShowClockTests {
    @Test("A clock that jumps over the start of a show makes the show begin at once") func leap() throws {
        let rig = try DaemonRig(["fip": DaemonRig.script()])
        var station = DaemonRig.station("fip")
        station.relay = nil
        station.shows = [try rig.show("leapt", from: 3_500, to: 3_650)]
        rig.apply(try rig.configuration([station]), for: 20)
        #expect(rig.origin.log.accepts.isEmpty)
        rig.stepClock(by: .seconds(3_600))
        // The regular check of the clock, every 15 s, would come later.
        rig.run(1)
        #expect(rig.origin.log.accepts.count == 1)
        rig.run(14)
        #expect(rig.files == ["leapt.mp3.part"])
        rig.run(120)
        #expect(rig.results["leapt"]?.verdict == .incomplete && rig.files == ["leapt.mp3"])
    }

    @Test("A clock that is set back during a show ends its recording, and the show airs again") func setBack() throws {
        let rig = try DaemonRig(["fip": Self.script])
        var station = DaemonRig.station("fip")
        station.relay = nil
        station.shows = [try rig.show("again", from: 10, to: 60)]
        rig.apply(try rig.configuration([station]), for: 30)
        rig.stepClock(by: .zero - .seconds(3_600))
        rig.run(5)
        #expect(rig.files == ["again.mp3"] && rig.origin.transfersUnderWay == 0)
        for _ in 0..<3_500 { rig.pass(.seconds(1)) }
        rig.run(160)
        #expect(rig.files.filter { $0.hasSuffix(".mp3") }.count == 2, "\(rig.files)")
        #expect(rig.results["again"]?.verdict == .complete, "\(rig.results)")
    }

    @Test("A show airs once in the double hour of autumn, and keeps its length across the change") func autumn() throws
    {
        let start = try #require(CivilTime(rfc3339: "2026-10-25T00:28:00Z")).instant
        let rig = try DaemonRig(["fip": Self.script], at: start)
        var station = DaemonRig.station("fip")
        // One show begins, and the other ends, in the hour that occurs twice.
        station.shows = try [("twice", "02:30"), ("across", "02:59:30")].map { id, time in
            var show = try rig.show(id, from: 0, to: 60)
            show.show.start = try TimeOfDay(parsing: time)
            show.show.zone = "Europe/Berlin"
            return show
        }
        let berlin = try TimeZones().zone(named: "Europe/Berlin")
        rig.daemon.apply(try LoadedConfiguration(loading: rig.configuration([station])) { _ in berlin })
        for _ in 0..<75 * 60 { rig.pass(.seconds(1)) }
        let ended = rig.events.compactMap { event in
            if case .showEnded(let airing, let result) = event { (airing.show.id, result.verdict) } else { nil }
        }
        #expect(ended.map(\.0) == ["twice", "across"] && ended.allSatisfy { $0.1 == .complete }, "\(ended)")
        #expect(rig.files == ["across.mp3", "twice.mp3"])
        for (name, at) in [("twice", "00:30:00"), ("across", "00:59:30")] {
            let sidecar = try #require(Sidecar(parsing: try rig.folder.read("recordings/\(name).json")))
            let wanted = try #require(CivilTime(rfc3339: "2026-10-25T\(at)Z")).instant
            let began = try #require(sidecar.at?.instant)
            #expect(abs((began - wanted).inSeconds) < 0.1, "\(name) began at \(began)")
            #expect(abs(Double(sidecar.samples) / 44_100 - 60) < 0.1, "\(name) has \(sidecar.samples) samples")
        }
    }

    /// Leaps over the ends of two shows, over the end of one of them, and over no end.
    @Test(
        "E1: After a leap of the clock that is put right again, shows are recorded when they air",
        arguments: [(3_600.0, 20.0), (75, 20), (40, 20), (75, 2)], [StationConfiguration.RecordMode.shows, .always])
    func wrongLeap(_ leap: (by: Double, for: Double), _ mode: StationConfiguration.RecordMode) throws {
        let rig = try DaemonRig(["fip": DaemonRig.script()])
        let shows = [
            try rig.show("on", from: 5, to: 85), try rig.show("later", from: 70, to: 100),
            try rig.show("far", from: 200, to: 230),
        ]
        let station = DaemonRig.station("fip", record: mode, shows: shows)
        let configuration = try rig.configuration([station])
        try rig.beginWithCatalog(configuration)
        #expect(rig.reactor.pump { rig.rebuilds == [true] })
        rig.live(20)
        rig.stepClock(by: .seconds(leap.by))
        rig.live(leap.for)
        rig.stepClock(by: .zero - .seconds(leap.by))
        rig.live(300 - leap.for, step: 0.5)
        for (name, from, to) in [("on", 21 + leap.for, 85.0), ("later", 70, 100), ("far", 200, 230)] {
            let found = try rig.files.filter { $0.hasPrefix(name) }.map { try rig.span($0) }
            #expect(found.contains { $0.from < from + 0.1 && $0.to > to - 0.1 }, "\(name): \(found)")
        }
        let lost = try #require(rig.results["on"]?.lost.inSeconds)
        #expect(lost < leap.for + 1, "\(lost)")
        #expect(rig.results["later"]?.lost ?? .seconds(30) < .seconds(1) && rig.results["far"]?.verdict == .complete)
        // The newest entry of a broadcast in the ledger is what was told last.
        let listed = BroadcastList.select(
            ShowLedgerTests.entries(rig), station: nil, show: nil, from: nil, until: nil, atMost: 10)
        #expect(listed.count == 3)
        for entry in listed {
            let result = rig.results[entry["show"]?.stringValue ?? ""]
            #expect(entry["result"]?.stringValue == result?.verdict.rawValue)
        }
    }

    @Test("E1: A show that a wrong clock has called missed is judged again, also by the next run") func nextRun() throws
    {
        let rig = try DaemonRig(["fip": DaemonRig.script()])
        let station = DaemonRig.station("fip", shows: [try rig.show("one", from: 100, to: 150)])
        let configuration = try rig.configuration([station])
        try rig.beginWithCatalog(configuration, for: 10)
        rig.stepClock(by: .seconds(3_600))
        rig.live(10)
        #expect(rig.results["one"]?.verdict == .missed)
        rig.stepClock(by: .zero - .seconds(3_600))
        rig.live(110)
        rig.daemon.stop()
        rig.live(40)
        rig.restart()
        try rig.startAgain(configuration, for: 20)
        #expect(rig.results["one"]?.verdict == .incomplete, "\(rig.results)")
    }

    @Test("E1: A clock that is ahead at the start lets no show be called missed that is still to come")
    func ahead() throws {
        let rig = try DaemonRig(["fip": DaemonRig.script()])
        let station = DaemonRig.station("fip", shows: [try rig.show("one", from: 100, to: 150)])
        let earlier = EarlierRun(alive: .init(judgedUntil: rig.began - .seconds(60)))
        rig.reactor.stepWall(to: rig.began + .seconds(3_600))
        try rig.beginWithCatalog(try rig.configuration([station]), after: earlier)
        rig.stepClock(by: .zero - .seconds(3_600))
        #expect(rig.reactor.pump { rig.rebuilds == [true] })
        rig.live(200)
        let ended = rig.events.compactMap { if case .showEnded(_, let result) = $0 { result.verdict } else { nil } }
        #expect(ended == [.complete])
    }

    /// A station whose programme begins anew with each connection.
    private static var script: LiveScript {
        LiveScript { visit in
            return .stream(LiveStream(DaemonRig.programme, burst: 24_000, lag: max(.zero, visit.time - .seconds(10))))
        }
    }

    @Test("A clock in 1970 makes shows wait until it is set, and the station is recorded all the same")
    func clockNotSet() throws {
        let rig = try DaemonRig(["fip": DaemonRig.script()], at: WallInstant(nanoseconds: 30_000_000_000))
        let station = DaemonRig.station("fip", record: .always, shows: [try rig.show("1970", from: 10, to: 20)])
        rig.apply(try rig.configuration([station]), for: 25)
        #expect(rig.files.count == 1 && rig.results.isEmpty)
        #expect(rig.events.count { if case .clockNotSet = $0 { true } else { false } } == 1)
    }

    @Test("A show that ended while the machine slept is judged once") func sleepingMachine() throws {
        let rig = try DaemonRig(["fip": DaemonRig.script()])
        var station = DaemonRig.station("fip")
        station.shows = [
            try rig.show("begun", from: 10, to: 400), try rig.show("slept", from: 1_000, to: 2_000),
            try rig.show("later", from: 3_700, to: 3_800),
        ]
        rig.apply(try rig.configuration([station]), for: 30)
        rig.stepClock(by: .seconds(3_600))
        rig.run(240)
        #expect(rig.results.mapValues(\.verdict) == ["begun": .incomplete, "slept": .missed, "later": .complete])
        #expect(rig.events.count { if case .showEnded = $0 { true } else { false } } == 3)
    }
}

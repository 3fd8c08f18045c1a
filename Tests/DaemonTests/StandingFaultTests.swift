// SPDX-License-Identifier: MIT

import Configuration
import Glibc
import Instants
import RadioCore
import RadioFormats
import Storage
import TestSupport
import TestTools
import Testing

@testable import Daemon

/// Faults that begin in one run of the daemon and end in another, or explain what is missing between both.
struct StandingFaultTests {
    /// Ends the daemon, and starts it again some seconds later with a disk that works, as the program does.
    private static func restart(
        _ rig: DaemonRig, _ configuration: Configuration, crash: Bool, away: Double = 3
    ) throws {
        #expect(rig.waitForCatalog())
        if crash {
            rig.crash(away: .seconds(away))
        } else {
            rig.daemon.stop()
            rig.live(away)
            rig.restart()
        }
        rig.system.setErrors([:])
        try rig.startAgain(configuration)
    }

    private static func names(_ rig: DaemonRig, _ names: EventName...) -> [EventName] {
        rig.told.map(\.name).filter(names.contains)
    }

    @Test("A station that was reported as down is reported as back by the next run", arguments: [false, true])
    func stationBack(crash: Bool) throws {
        let rig = try DaemonRig(["fip": DaemonRig.script([.init(.seconds(20), for: .seconds(80), .gone)])])
        let configuration = try rig.configuration([DaemonRig.station("fip", record: .always)])
        try rig.beginWithCatalog(configuration, for: 98)
        #expect(Self.names(rig, .stationDown, .stationBack) == [.stationDown])
        try Self.restart(rig, configuration, crash: crash)
        rig.live(5)
        try Self.restart(rig, configuration, crash: crash)
        rig.live(5)
        #expect(Self.names(rig, .stationDown, .stationBack) == [.stationDown, .stationBack])
        let away = try #require(rig.told.last { $0.name == .stationBack }?.seconds)
        #expect((75...90).contains(away), "\(away)")
    }

    /// How a station comes to be needed no longer.
    enum Change: CaseIterable { case reload, restart, removal, demand }

    @Test("The outage of a station that nothing needs any more has its end, once", arguments: Change.allCases)
    func unneeded(_ change: Change) throws {
        let rig = try DaemonRig(["fip": DaemonRig.script([.init(.seconds(20), for: .seconds(900), .gone)])])
        var station = DaemonRig.station("fip", record: .always)
        station.relay = nil
        try rig.beginWithCatalog(try rig.configuration([station]), for: 98)
        #expect(Self.names(rig, .stationDown, .stationBack) == [.stationDown])
        station.record = .never
        if change == .demand {
            station.relay = .init()
            station.relay?.isOnDemand = true
        }
        let after = try rig.configuration(change == .removal ? [] : [station])
        if change == .reload { rig.apply(after) } else { try Self.restart(rig, after, crash: false) }
        rig.live(20)
        try Self.restart(rig, after, crash: false)
        rig.live(90)
        #expect(Self.names(rig, .stationDown, .stationBack) == [.stationDown, .stationBack])
        let end = try #require(rig.told.last { $0.name == .stationBack })
        #expect(end.cause != nil && end.station == "fip" && (75...95).contains(end.seconds ?? 0), "\(end)")
    }

    @Test("A dead station that gets another address has one outage, and its recordings have one gap")
    func otherAddress() throws {
        let rig = try DaemonRig([
            "fip": DaemonRig.script([.init(.seconds(20), for: .seconds(900), .gone)]), "nova": DaemonRig.script(),
        ])
        let station = DaemonRig.station("fip", record: .always)
        try rig.beginWithCatalog(try rig.configuration([station]), for: 98)
        var other = DaemonRig.station("nova", record: .always)
        other.id = "fip"
        rig.apply(try rig.configuration([other]))
        rig.live(30)
        let names = Self.names(rig, .stationDown, .stationBack, .gap)
        #expect(names.sorted { $0.rawValue < $1.rawValue } == [.gap, .stationBack, .stationDown], "\(names)")
        #expect(try rig.sidecars().values.map(\.gaps.count).sorted() == [0, 1])
    }

    @Test("A disk that was reported as low is reported as well by the next run", arguments: [false, true])
    func diskWell(crash: Bool) throws {
        let rig = try DaemonRig(["fip": DaemonRig.script()])
        var configuration = try rig.configuration([DaemonRig.station("fip", record: .always)])
        configuration.storage.leastFree = .max
        try rig.beginWithCatalog(configuration)
        #expect(rig.reactor.pump { rig.rebuilds == [true] })
        rig.live(15)
        try Self.restart(rig, configuration, crash: crash)
        rig.live(15)
        #expect(Self.names(rig, .diskLow, .diskWell) == [.diskLow])
        configuration.storage.leastFree = 0
        try Self.restart(rig, configuration, crash: crash)
        rig.live(15)
        #expect(Self.names(rig, .diskLow, .diskWell) == [.diskLow, .diskWell])
    }

    @Test(
        "A recording that could not be written is reported as well by the next run, even if nobody wants it then",
        arguments: [false, true])
    func writingAgain(isWanted: Bool) throws {
        let rig = try DaemonRig(["fip": DaemonRig.script()])
        var configuration = try rig.configuration([DaemonRig.station("fip", record: .always)])
        try rig.beginWithCatalog(configuration, for: 10)
        rig.system.setErrors(["writev": EIO, "pwrite": EIO, "create": EIO])
        rig.live(10)
        #expect(Self.names(rig, .diskFailing, .diskWell).last == .diskFailing)
        if !isWanted { configuration.stations[0].record = .never }
        try Self.restart(rig, configuration, crash: true)
        rig.live(10)
        #expect(Self.names(rig, .diskFailing, .diskWell).last == .diskWell)
        #expect(rig.told.last { $0.name == .diskWell }?.station == "fip")
        let again = rig.events.compactMap { event -> [UseKey?]? in
            if case .writingAgain("fip", let key) = event { [key] } else { nil }
        }
        // The purpose of a recording that nobody wants any more is not known.
        #expect(again.last == [isWanted ? UseKey("fip", .log) : nil], "\(again)")
        try Self.restart(rig, configuration, crash: true)
        rig.live(10)
        #expect(rig.told.count { $0.name == .diskFailing } == rig.told.count { $0.name == .diskWell })
    }

    @Test("I11: The beginning and the end of a fault are stored at once") func storedAtOnce() throws {
        let rig = try DaemonRig(["fip": DaemonRig.script([.init(.seconds(22), for: .seconds(14), .gone)])])
        try rig.beginWithCatalog(try rig.configuration([DaemonRig.station("fip", record: .always)]))
        func stored() throws -> [String] {
            #expect(rig.waitForCatalog())
            let file = try rig.folder.read("state/\(StandingFaults.fileName)")
            return StandingFaults(try JSONValue(parsing: file, limit: 1 << 20)).faults.map(\.station)
        }
        rig.live(21)
        #expect(try stored() == [])
        rig.run(1.5)
        #expect(try stored() == ["fip"])
        var isOver: Bool { rig.told.contains { $0.name == .gap } }
        for _ in 0..<200 where !isOver { rig.run(0.1) }
        rig.run(1.1)
        #expect(try isOver && stored() == [])
    }

    @Test("The gap at the end of a recording that ends in an outage is reported once")
    func openGap() throws {
        let rig = try DaemonRig(["fip": DaemonRig.script([.init(.seconds(20), for: .seconds(40), .gone)])])
        let station = DaemonRig.station("fip", record: .always, shows: [try rig.show("one", from: 5, to: 30)])
        let configuration = try rig.configuration([station])
        try rig.beginWithCatalog(configuration, for: 50)
        try Self.restart(rig, configuration, crash: false)
        rig.live(30)
        let gaps = try rig.sidecars().values.flatMap { sidecar in
            sidecar.gaps.map { "\(sidecar.recording ?? "") \($0.cause) \($0.milliseconds ?? 0)" }
        }
        let told = rig.told.filter { $0.name == .gap }.map { event in
            let milliseconds = Int64(((event.seconds ?? 0) * 1_000).rounded())
            return "\(event.recording ?? "") \(event.cause ?? "") \(milliseconds)"
        }
        // The show's, the one until the stop, and the one after it, which may have two causes.
        #expect(gaps.sorted() == told.sorted() && gaps.count >= 3, "\(gaps) \(told)")
    }

    @Test("I12: An outage in which the daemon is stopped leaves no gap if the station sends again what was missing")
    func coveredOutage() throws {
        let programme = Broadcast([.music(.seconds(120))], MPEGShape(128))
        let script = LiveScript(
            .stream(LiveStream(programme, burst: 240_000)), absences: [.init(.seconds(20), for: .seconds(5), .gone)])
        let rig = try DaemonRig(["fip": script])
        let configuration = try rig.configuration([DaemonRig.station("fip", record: .always)])
        try rig.beginWithCatalog(configuration, for: 22)
        try Self.restart(rig, configuration, crash: false)
        rig.live(20)
        let sidecars = try rig.sidecars().values
        #expect(sidecars.count == 2 && sidecars.allSatisfy(\.gaps.isEmpty), "\(sidecars)")
        #expect(rig.told.allSatisfy { $0.name != .gap })
    }

    @Test("I13: Each hole of a show has the cause that the station's gap has, also if it began before the show")
    func oneCause() throws {
        var script = LiveScript { visit in
            var stream = LiveStream(DaemonRig.programme, burst: 24_000)
            if visit.time < .seconds(45) { stream.faults = [.at(.seconds(47) - visit.time, .close)] }
            return .stream(stream)
        }
        script.absences = [
            .init(.seconds(12), for: .seconds(15), .gone), .init(.seconds(45), for: .seconds(15), .refusing),
        ]
        let rig = try DaemonRig(["fip": script])
        let station = DaemonRig.station("fip", record: .always, shows: [try rig.show("one", from: 18, to: 80)])
        try rig.beginWithCatalog(try rig.configuration([station]), for: 95)
        let gaps = try rig.sidecars().values.first { $0.show == nil }?.gaps.map(\.cause)
        let result = try #require(rig.results["one"])
        #expect(Set(gaps ?? []).count == 2, "\(gaps ?? [])")
        #expect(result.causes.map(\.text) == gaps, "\(result)")
    }

    @Test("What was wrong at the last sign of life is why audio before the restart is missing, in every recording")
    func causes() throws {
        let rig = try DaemonRig([
            "fip": DaemonRig.script([.init(.seconds(20), for: .seconds(60), .gone)]), "full": DaemonRig.script(),
        ])
        let station = DaemonRig.station("fip", record: .always, shows: [try rig.show("one", from: 5, to: 120)])
        let configuration = try rig.configuration([station, DaemonRig.station("full", record: .always)])
        try rig.beginWithCatalog(configuration, for: 25)
        rig.system.setErrors(["writev": ENOSPC, "pwrite": ENOSPC, "create": ENOSPC])
        rig.live(25)
        #expect(rig.waitForCatalog())
        // The station returns a while after the restart.
        try Self.restart(rig, configuration, crash: true, away: 10)
        rig.live(35)
        let gaps = try rig.sidecars().values.filter { $0.continues != nil }.map { sidecar in
            (sidecar.stationID ?? "", sidecar.gaps.map { ($0.cause, Double($0.milliseconds ?? 0) / 1_000) })
        }
        try #require(gaps.map(\.0).sorted() == ["fip", "fip", "full"], "\(gaps)")
        for (station, causes) in gaps {
            func seconds(_ isMeant: (String) -> Bool) -> Double {
                causes.filter { isMeant($0.0) }.reduce(0) { $0 + $1.1 }
            }
            let down = seconds { $0 == Downtimes.cause }
            #expect(abs(down - (station == "fip" ? 10 : 6)) < 6, "\(station) \(causes)")
            #expect(seconds { $0 == Downtimes.unknownCause } == 0, "\(station) \(causes)")
            // The disk was full until the kill; the station was away before the kill and after the start.
            let others = seconds { $0 != Downtimes.cause && $0.contains("no space left") == (station == "full") }
            #expect(abs(others - (station == "full" ? 25 : 48)) < 8, "\(station) \(causes)")
        }
    }

    @Test("However many faults there are, and whatever they say, the next run can read some of them")
    func manyStored() throws {
        let folder = try TemporaryFolder()
        let cause = String(repeating: "\u{1}", count: 300)
        let all = (0..<3_000).map { number in
            StandingFault(station: "\(number)", since: WallInstant(nanoseconds: 0), cause: cause, isTold: true)
        }
        let file = StateFile(folder: folder.path, name: StandingFaults.fileName)
        try file.write(StandingFaults(faults: all).json.encoded())
        let read = StandingFaults(try JSONValue(parsing: try #require(file.read()), limit: 1 << 20))
        #expect(read.faults.count > 500)
    }

    @Test("The faults are stored and read again; what is malformed is left out") func stored() {
        let faults = StandingFaults(
            faults: [
                StandingFault(
                    station: "a", use: "a log", since: WallInstant(nanoseconds: 7_000_000_001), cause: "x", isTold: true
                ),
                StandingFault(station: "b", since: WallInstant(nanoseconds: 0), cause: "y", isTold: false),
            ], disk: .full)
        #expect(StandingFaults(faults.json) == faults)
        #expect(StandingFaults(["disk": 7, "faults": [["station": 3], "x"]]) == StandingFaults())
        let until = WallInstant(nanoseconds: 0) + .seconds(5)
        let span = WallInstant(nanoseconds: 0)..<until
        #expect(faults.cause(of: "b", in: span) == "y" && faults.cause(of: "a", in: span) == nil)
    }
}

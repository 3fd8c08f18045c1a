// SPDX-License-Identifier: MIT

import Catalog
import Configuration
import Engine
import Glibc
import Instants
import RadioCore
import RadioFormats
import Recorder
import Storage
import TestSupport
import TestTools
import Testing

@testable import Daemon

/// What a recording says about the time in which no daemon ran.
struct RestartGapTests {
    /// How long the daemon is away; the burst of the next connection covers the last four seconds.
    private static let away = 24.0

    /// A daemon that records the station since `seconds`.
    private static func begun(
        _ configure: (DaemonRig) throws -> Configuration = always, since seconds: Double = 30
    ) throws -> (DaemonRig, Configuration) {
        let rig = try DaemonRig(["fip": DaemonRig.script()])
        let configuration = try configure(rig)
        try rig.beginWithCatalog(configuration, for: seconds)
        return (rig, configuration)
    }

    /// Starts the daemon again, with a catalog that does nothing until the gate opens.
    private static func startAgain(_ rig: DaemonRig, _ configuration: Configuration) throws -> Gate {
        let gate = Gate()
        try rig.startAgain(configuration)
        rig.daemon.catalog?.run { _ = gate.wait(within: .seconds(60)) }
        return gate
    }

    /// A daemon that has recorded the station for 30 s, has ended, and has started again 24 s later.
    private static func restarted(_ configure: (DaemonRig) throws -> Configuration, crash: Bool) throws -> DaemonRig {
        let (rig, configuration) = try begun(configure)
        if crash {
            rig.crash(away: .seconds(away))
        } else {
            rig.restart(away: away)
        }
        try rig.startAgain(configuration)
        // The catalog answers in real time, which virtual time must not outrun.
        rig.live(4, step: 0.25)
        return rig
    }

    private static func always(_ rig: DaemonRig) throws -> Configuration {
        try rig.configuration([DaemonRig.station("fip", record: .always)])
    }

    private static func show(_ rig: DaemonRig) throws -> Configuration {
        let station = DaemonRig.station("fip", shows: [try rig.show("one", from: 5, to: 90)])
        return try rig.configuration([station])
    }

    /// The sidecars of the first and the second recording, which have one file each.
    private static func sidecars(_ rig: DaemonRig) throws -> (first: Sidecar, second: Sidecar) {
        let all = try rig.sidecars().values.sorted {
            ($0.at?.instant.nanoseconds ?? 0) < ($1.at?.instant.nanoseconds ?? 0)
        }
        try #require(all.count == 2)
        return (all[0], all[1])
    }

    /// The gaps that the daemon has reported, in seconds, with their causes.
    private static func told(_ rig: DaemonRig) -> [(seconds: Double, cause: String)] {
        rig.told.filter { $0.name == .gap }.map { ($0.seconds ?? 0, $0.cause ?? "") }
    }

    @Test(
        "The first file of a new run begins with the gap, names the recording that it continues, and the gap is reported",
        arguments: [false, true], [false, true])
    func gap(isShow: Bool, isCrash: Bool) throws {
        let rig = try Self.restarted(isShow ? Self.show : Self.always, crash: isCrash)
        let (first, second) = try Self.sidecars(rig)
        #expect(second.continues == first.recording && first.continues == nil)
        let gap = try #require(second.gaps.first)
        #expect(second.gaps.count == 1 && gap.position == 0 && gap.cause == "Aircheck was not running")
        // The truth: the frames that are in neither file.
        let places = try rig.files.map { try rig.span($0) }.sorted { $0.from < $1.from }
        let missing = places[1].from - places[0].to
        let noted = Double(gap.milliseconds ?? 0) / 1_000
        #expect(abs(noted - missing) < 0.2 && missing > 15, "\(noted) \(missing)")
        #expect(Self.told(rig).map(\.cause) == ["Aircheck was not running"])
        #expect(rig.daemon.status(rig.snapshot).stations.map(\.gaps) == [1])
        // The first run began the show in time.
        let late = rig.events.compactMap { if case .recordingBegan(_, _, _, let late) = $0 { late } else { nil } }
        #expect(late.isEmpty, "\(late)")
        let recordings = try rig.ask { store throws(CatalogError) in try store.recordings(CatalogQuery()) }
        #expect(recordings.map { $0.earlier?.id } == [first.recording, nil] && recordings.last?.isContinued == true)
    }

    @Test("A show that is moved while it is on lacks nothing before its new start", arguments: [false, true])
    func moved(isCrash: Bool) throws {
        let (rig, _) = try Self.begun(Self.show, since: 20)
        if isCrash { rig.crash(away: .seconds(2)) }
        let station = DaemonRig.station("fip", shows: [try rig.show("one", from: 25, to: 45)])
        let configuration = try rig.configuration([station])
        if isCrash { try rig.startAgain(configuration) } else { rig.apply(configuration) }
        rig.live(60)
        let (first, second) = try Self.sidecars(rig)
        #expect(first.gaps.isEmpty && second.gaps.isEmpty && Self.told(rig).isEmpty, "\(second.gaps)")
        #expect(rig.results["one"]?.verdict == .complete)
    }

    @Test("Nothing is missing before the new start of a show, also if a crash delays the knowledge of its first part")
    func movedLate() throws {
        let (rig, _) = try Self.begun(Self.show, since: 20)
        rig.crash(away: .seconds(2))
        let station = DaemonRig.station("fip", shows: [try rig.show("one", from: 30, to: 90)])
        let configuration = try rig.configuration([station])
        let gate = try Self.startAgain(rig, configuration)
        rig.run(20)
        gate.open()
        rig.crash(away: .seconds(1))
        try rig.startAgain(configuration, for: 10)
        let sidecars = try rig.sidecars().values
        let early = sidecars.flatMap(\.gaps).filter { $0.milliseconds ?? 0 > 5_000 }
        #expect(sidecars.count == 3 && early.isEmpty, "\(early)")
    }

    @Test("A restart that the burst covers is no gap, but the recording names the one that it continues")
    func covered() throws {
        let (rig, configuration) = try Self.begun()
        rig.restart(away: 1)
        try rig.startAgain(configuration, for: 6)
        let (first, second) = try Self.sidecars(rig)
        #expect(second.continues == first.recording && second.gaps.isEmpty && Self.told(rig).isEmpty)
    }

    @Test("A restart that the bursts cover is no gap for any of many recordings, although the last begin later")
    func coveredMany() throws {
        let hosts = (0..<24).map { "host\($0)" }
        let rig = try DaemonRig(Dictionary(uniqueKeysWithValues: hosts.map { ($0, DaemonRig.script()) }))
        let configuration = try rig.configuration(
            try hosts.map { host in
                let station = DaemonRig.station(
                    host, record: .always, shows: [try rig.show("show-\(host)", from: 5, to: 90)])
                return station
            })
        try rig.beginWithCatalog(configuration, for: 30)
        rig.restart(away: 1)
        try rig.startAgain(configuration, for: 6)
        let sidecars = try rig.sidecars()
        #expect(sidecars.values.count { $0.continues != nil } == 48)
        #expect(sidecars.values.allSatisfy(\.gaps.isEmpty) && Self.told(rig).isEmpty)
    }

    @Test("A gap before a recording that a crash ends before the gap is known is entered and reported by the next run")
    func lateGap() throws {
        let (rig, configuration) = try Self.begun()
        rig.crash(away: .seconds(Self.away))
        let gate = try Self.startAgain(rig, configuration)
        rig.run(5)
        gate.open()
        rig.crash(away: .seconds(10))
        try rig.startAgain(configuration, for: 10)
        let gaps = try rig.sidecars().values.flatMap { sidecar in
            sidecar.gaps.map { "\(sidecar.recording ?? "") \($0.milliseconds ?? 0)" }
        }
        let told = rig.told.filter { $0.name == .gap && $0.recording != nil }.map { event in
            "\(event.recording ?? "") \(Int64(((event.seconds ?? 0) * 1_000).rounded()))"
        }
        #expect(gaps.sorted() == told.sorted() && Set(gaps.map { $0.prefix(11) }).count == 2, "\(gaps) \(told)")
    }

    @Test("The causes of a gap are the same if it becomes known after its recording has ended")
    func lateCauses() throws {
        func causes(isLate: Bool) throws -> [String] {
            let rig = try DaemonRig(["fip": DaemonRig.script([.init(.seconds(20), for: .seconds(36), .gone)])])
            let configuration = try Self.always(rig)
            try rig.beginWithCatalog(configuration, for: 30)
            rig.crash(away: .seconds(Self.away))
            let gate = Gate()
            try rig.startAgain(configuration)
            if isLate { rig.daemon.catalog?.run { _ = gate.wait(within: .seconds(60)) } }
            rig.run(10)
            if isLate { rig.apply(try rig.configuration([DaemonRig.station("fip", record: .never)])) }
            rig.run(5)
            gate.open()
            rig.live(5)
            let second = try Self.sidecars(rig).second
            #expect((second.state == .growing) == !isLate)
            #expect(Self.told(rig).count { $0.cause == Downtimes.cause } == 1)
            return second.gaps.map(\.cause)
        }
        let causes = try (inTime: causes(isLate: false), late: causes(isLate: true))
        #expect(causes.inTime == causes.late && causes.late.contains(Downtimes.cause), "\(causes)")
        #expect(causes.late.count > 1 && !causes.late.contains(Downtimes.unknownCause), "\(causes)")
    }

    @Test("A gap that cannot be entered, because the disk takes nothing, is entered and reported by a later run")
    func postponedGap() throws {
        let (rig, configuration) = try Self.begun()
        func restart(_ away: Double, _ body: () -> Void) throws {
            rig.crash(away: .seconds(away))
            rig.system.setErrors([:])
            let gate = try Self.startAgain(rig, configuration)
            rig.run(5)
            body()
            gate.open()
        }
        try restart(Self.away) {}
        try restart(10) { rig.system.setErrors(["writev": EIO, "pwrite": EIO, "create": EIO]) }
        func second() throws -> Sidecar {
            rig.live(10)
            let all = try rig.sidecars().values.sorted { ($0.at?.rfc3339 ?? "") < ($1.at?.rfc3339 ?? "") }
            try #require(all.count > 1)
            return all[1]
        }
        #expect(try second().gaps.isEmpty)
        try restart(10) {}
        let entered = try second()
        #expect(entered.gaps.map(\.cause) == [Downtimes.cause])
        #expect(rig.told.count { $0.name == .gap && $0.recording == entered.recording } == 1)
    }

    @Test("A station that was not to be recorded meanwhile has no gap") func notWanted() throws {
        let (rig, configuration) = try Self.begun(since: 20)
        rig.apply(try rig.configuration([DaemonRig.station("fip", record: .never)]), for: 40)
        rig.apply(configuration, for: 10)
        let (_, second) = try Self.sidecars(rig)
        #expect(second.continues == nil && second.gaps.isEmpty && Self.told(rig).isEmpty)
    }

    @Test("A reload that changes the files continues the recording without a gap") func reload() throws {
        let (rig, _) = try Self.begun(since: 20)
        var station = DaemonRig.station("fip", record: .always)
        station.files.name = try NameTemplate(parsing: "other %s")
        rig.apply(try rig.configuration([station]), for: 10)
        let (first, second) = try Self.sidecars(rig)
        #expect(second.continues == first.recording && second.gaps.isEmpty && Self.told(rig).isEmpty)
    }

    @Test("A recording continues the one that the file names for its purpose") func resumedLinks() {
        let links = RecordingLinks(.alone)
        let key = UseKey("fip", .log)
        links.resume(["recordings": [key.description: "r1", "other": 7]])
        #expect(links.begin(UseID("1"), key) == "r1" && links.begin(UseID("2"), UseKey("nova", .log)) == nil)
    }

    @Test("Each finished file is reported, and those of an earlier run as recovered") func finishedFiles() throws {
        let rig = try Self.restarted(Self.show, crash: true)
        func files() -> [HookEvent] { rig.toldFiles }
        let (first, second) = try Self.sidecars(rig)
        #expect(files().map(\.recording) == [first.recording] && files().map(\.isRecovered) == [true])
        let recovered = try #require(files().first)
        #expect(recovered.station == "fip" && recovered.show == "one" && recovered.files.count == 1)
        #expect((recovered.seconds ?? 0) > 20 && (recovered.bytes ?? 0) > 0)
        rig.run(60)
        #expect(files().map(\.recording) == [first.recording, second.recording])
        #expect(files().map(\.isRecovered) == [true, false])
        #expect(rig.reactor.pump { rig.results["one"] != nil })
        #expect(rig.told.last?.name == .recordingIncomplete)
    }
}

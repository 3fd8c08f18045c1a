// SPDX-License-Identifier: MIT

import Configuration
import Glibc
import Instants
import RadioCore
import Storage
import TestSupport
import TestTools
import Testing

@testable import Catalog
@testable import Daemon

/// A daemon that ends while its disks are full, and the daemon after it.
struct FullDiskRestartTests {
    /// A station that is always recorded, with a show from 10 s to 70 s.
    private static func configuration(_ rig: DaemonRig) throws -> Configuration {
        let station = DaemonRig.station("fip", record: .always, shows: [try rig.show("one", from: 10, to: 70)])
        return try rig.configuration([station])
    }

    private static func end(_ rig: DaemonRig, crash: Bool) {
        if crash {
            rig.crash(away: .seconds(2))
        } else {
            rig.daemon.stop()
            rig.live(5)
            rig.restart()
        }
    }

    /// What of a span no file has, in seconds: the truth.
    private static func missing(
        _ rig: DaemonRig, _ span: (from: Double, to: Double), of files: (String) -> Bool
    ) throws -> Double {
        var (missing, end) = (0.0, span.from)
        for place in try rig.files.filter(files).map({ try rig.span($0) }).sorted(by: { $0.from < $1.from }) {
            missing += max(0, min(place.from, span.to) - end)
            end = max(end, place.to)
        }
        return missing + max(0, span.to - end)
    }

    @Test(
        "What the catalog missed on a full disk is known to the next run before it judges, and enters gaps",
        arguments: [false, true])
    func missedChanges(crash: Bool) throws {
        let rig = try DaemonRig(["fip": DaemonRig.script()])
        let configuration = try Self.configuration(rig)
        try rig.beginWithCatalog(configuration, for: 25)
        // From now on, the catalog cannot note anything.
        let other = try Database(path: rig.folder.file("state/\(CatalogStore.name)"))
        try other.run("CREATE TRIGGER full BEFORE INSERT ON segments BEGIN SELECT RAISE(ABORT, 'full'); END")
        rig.system.setRoom(0)
        rig.live(8)
        Self.end(rig, crash: crash)
        try other.run("DROP TRIGGER full")
        rig.system.setRoom(nil)
        let rebuilds = rig.rebuilds.count
        try rig.startAgain(configuration, for: 50)
        #expect(rig.rebuilds.count > rebuilds && rig.rebuilds.last == true)
        let result = try #require(rig.results["one"])
        let truth = try Self.missing(rig, (10, 70)) { $0.hasPrefix("one") }
        #expect(truth > 3 && abs(result.lost / .seconds(1) - truth) < 0.3, "\(result.missing) \(truth)")
        // Each second is told once.
        let gaps = try rig.sidecars().filter { $0.key.hasPrefix("one") }.values.flatMap(\.gaps)
        let noted = gaps.reduce(0.0) { $0 + Double($1.milliseconds ?? 0) / 1_000 }
        #expect(abs(noted - truth) < 0.3, "\(gaps)")
        let states = try rig.ask { store throws(CatalogError) in
            try store.recordings(CatalogQuery()).filter { $0.show != nil }.map(\.state)
        }
        #expect(states.count == 2 && !states.contains(.growing), "\(states)")
    }

    @Test("A file that a full disk does not let be completed at the start is completed when there is room")
    func unfinished() throws {
        let rig = try DaemonRig(["fip": DaemonRig.script()])
        let configuration = try Self.configuration(rig)
        try rig.beginWithCatalog(configuration, for: 30)
        rig.crash(away: .seconds(8))
        rig.system.setErrors(["create": ENOSPC, "pwrite": ENOSPC, "writev": ENOSPC, "truncate": ENOSPC])
        try rig.startAgain(configuration, for: 6)
        let listed = try rig.ask { store throws(CatalogError) in
            try store.recordings(CatalogQuery()).map { "\($0.state) \(Int($0.length.inSeconds.rounded()))" }.sorted()
        }
        // Until then, the files are listed as what they are.
        #expect(listed == ["growing 20", "growing 34"])
        #expect(rig.toldFiles.isEmpty)
        rig.system.setErrors([:])
        rig.live(40)
        #expect(rig.toldFiles.filter(\.isRecovered).count == 2, "\(rig.toldFiles)")
        let result = try #require(rig.results["one"])
        let truth = try Self.missing(rig, (10, 70)) { $0.hasPrefix("one") }
        #expect(truth > 2 && abs(result.lost / .seconds(1) - truth) < 0.3, "\(result.missing) \(truth)")
        #expect(try rig.sidecars().values.count { $0.state == .interrupted } == 2)
    }

    @Test("I17: A file that was finished just before a crash counts, although the catalog and the state do not know it")
    func finishedUnnoted() throws {
        let rig = try DaemonRig(["fip": DaemonRig.script()])
        let configuration = try Self.configuration(rig)
        try rig.beginWithCatalog(configuration, for: 66)
        // The state as a crash right after the end of the show leaves it.
        let state = try rig.folder.contents().filter { $0.hasPrefix("state/") }.map { ($0, try rig.folder.read($0)) }
        rig.live(10)
        rig.crash(away: .seconds(1))
        for (name, content) in state { try rig.folder.write(name, content) }
        try rig.startAgain(configuration, for: 20)
        #expect(try #require(rig.results["one"]).verdict == .complete)
        let states = try rig.ask { store throws(CatalogError) in
            try store.recordings(CatalogQuery()).filter { $0.show != nil }.map(\.state)
        }
        #expect(states == [.complete], "\(states)")
    }

    @Test("A show is reported once, although a show that ended with it is reported by the next run")
    func reportedOnce() throws {
        let rig = try DaemonRig([
            "fip": DaemonRig.script(), "nova": DaemonRig.script([.init(.seconds(20), for: .seconds(60), .gone)]),
        ])
        let stations = try ["fip", "nova"].map { host in
            let station = DaemonRig.station(host, shows: [try rig.show("show of \(host)", from: 10, to: 40)])
            return station
        }
        let configuration = try rig.configuration(stations)
        try rig.beginWithCatalog(configuration, for: 45)
        #expect(rig.results.keys.sorted() == ["show of fip"])
        rig.crash(away: .seconds(2))
        try rig.startAgain(configuration, for: 15)
        let ended = rig.events.compactMap { if case .showEnded(let airing, _) = $0 { airing.show.id } else { nil } }
        #expect(ended.sorted() == ["show of fip", "show of nova"])
    }
}

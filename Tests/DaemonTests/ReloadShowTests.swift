// SPDX-License-Identifier: MIT

import Catalog
import Configuration
import Instants
import RadioCore
import Stations
import TestSupport
import Testing

@testable import Daemon

/// Recordings that a reload changes while they run.
struct ReloadShowTests {
    private let rig: DaemonRig

    init() throws { rig = try DaemonRig(["fip": DaemonRig.script()]) }

    enum Kind: CaseIterable { case log, show, manual }
    enum Change: CaseIterable { case files, segments, address }

    /// The files of a rig in the order of their beginning.
    private static func files(_ rig: DaemonRig) throws -> [(name: String, sidecar: Sidecar)] {
        try rig.sidecars().sorted { ($0.value.at?.instant ?? rig.began) < ($1.value.at?.instant ?? rig.began) }
            .map { name, sidecar in (try #require(rig.files.first { $0.hasPrefix("\(name).") }), sidecar) }
    }

    @Test(
        "H2: A recording that a reload changes continues exactly where it was, in another file",
        arguments: Kind.allCases, Change.allCases)
    func continues(_ kind: Kind, _ change: Change) throws {
        var station = DaemonRig.station("fip", record: kind == .log ? .always : .shows)
        if kind == .show { station.shows = [try rig.show("one", from: 10, to: 90)] }
        try rig.beginWithCatalog(try rig.configuration([station]), for: 10)
        if kind == .manual { #expect(rig.daemon.record("fip", for: .seconds(80)) != nil) }
        rig.live(50)
        func vary(_ files: inout StationConfiguration.Files) throws {
            if change == .files { files.name = try NameTemplate(parsing: "other %s") }
            if change == .segments { files.segment = .period(.seconds(3_600)) }
        }
        try vary(&station.files)
        if kind == .show { try vary(&station.shows[0].files) }
        if change == .address { station.source.urls = ["http://fip/other"] }
        rig.apply(try rig.configuration([station]))
        rig.live(45)
        rig.daemon.stop()
        rig.live(2)
        let files = try Self.files(rig)
        let spans = try files.map { try rig.span($0.name) }
        try #require(files.count == 2, "\(files)")
        #expect(abs(spans[1].from - spans[0].to) < (change == .address ? 0.06 : 0.001), "\(spans)")
        #expect(files[1].sidecar.continues == files[0].sidecar.recording && files[1].sidecar.gaps.isEmpty)
        #expect(rig.told.filter { $0.name == .gap }.isEmpty)
    }

    @Test(
        "H2: Reloads before a recording by titles has a file lose and repeat nothing, and make no gap",
        arguments: Kind.allCases)
    func beforeFirstFile(_ kind: Kind) throws {
        var station = DaemonRig.station("fip", record: kind == .log ? .always : .shows)
        station.files.segment = .title
        if kind == .show {
            station.shows = [try rig.show("one", from: 10, to: 60)]
            station.shows[0].files = station.files
        }
        try rig.beginWithCatalog(try rig.configuration([station]), for: kind == .log ? 2 : 10)
        if kind == .manual { #expect(rig.daemon.record("fip", for: .seconds(50)) != nil) }
        // The first title may come for five seconds.
        rig.live(2)
        for name in ["second %s", "third %s"] {
            station.files.name = try NameTemplate(parsing: name)
            if kind == .show { station.shows[0].files = station.files }
            rig.apply(try rig.configuration([station]))
            rig.live(2)
        }
        rig.live(60)
        rig.daemon.stop()
        rig.live(2)
        let files = try Self.files(rig)
        let spans = try files.map { try rig.span($0.name) }
        try #require(files.count == 3, "\(files)")
        #expect(zip(spans, spans.dropFirst()).allSatisfy { abs($0.to - $1.from) < 0.001 }, "\(spans)")
        #expect(files.dropFirst().map(\.sidecar.continues) == files.dropLast().map(\.sidecar.recording))
        #expect(files.allSatisfy { $0.sidecar.gaps.isEmpty } && rig.told.filter { $0.name == .gap }.isEmpty)
    }

    @Test("H2: A show whose station sends nothing until its address is corrected begins with the burst")
    func correctedAddress() throws {
        let gone = LiveScript.Absence(.zero, for: .seconds(900), .gone)
        let rig = try DaemonRig(["fip": DaemonRig.script(), "wrong": DaemonRig.script([gone])])
        var station = DaemonRig.station("fip")
        station.source.urls = ["http://wrong/live"]
        station.shows = [try rig.show("one", from: 10, to: 60)]
        try rig.beginWithCatalog(try rig.configuration([station]), for: 12)
        station.source.urls = ["http://fip/live"]
        rig.apply(try rig.configuration([station]))
        rig.live(60)
        #expect(rig.results["one"]?.verdict == .complete)
        #expect(try rig.span("one.mp3").from < 10.1)
    }

    @Test(
        "H2: A show whose window a reload changes while it is on has one result, about the new window",
        arguments: [(10.0, 140.0, 2), (10, 70, 2), (20, 100, 2), (5, 100, 2), (55, 100, 2), (10, 30, 1), (15, 40, 1)])
    func window(_ from: Double, _ to: Double, count: Int) throws {
        var station = DaemonRig.station("fip", shows: [try rig.show("one", from: 10, to: 100)])
        try rig.beginWithCatalog(try rig.configuration([station]), for: 50)
        station.shows = [try rig.show("one", from: from, to: to)]
        rig.apply(try rig.configuration([station]))
        rig.live(110)
        let results = rig.events.compactMap { event -> RecordingResult? in
            if case .showEnded(_, let result) = event { result } else { nil }
        }
        try #require(results.count == 1 && rig.files.count == count, "\(results) \(rig.files)")
        #expect(results[0].window == rig.began + .seconds(from)..<rig.began + .seconds(to))
        #expect(results[0].verdict == (from < 10 ? .incomplete : .complete), "\(results)")
        // Lists, exports and rules find the recordings of a broadcast by its start.
        #expect(try Set(rig.sidecars().values.map { $0.show?.broadcast }).count == 1)
    }

    @Test("H2: A show that a reload lets end long ago is over, and has a result") func endedLongAgo() throws {
        var station = DaemonRig.station("fip", shows: [try rig.show("one", from: 10, to: 300)])
        try rig.beginWithCatalog(try rig.configuration([station]), for: 180)
        station.shows = [try rig.show("one", from: 10, to: 60)]
        rig.apply(try rig.configuration([station]))
        rig.live(30)
        #expect(rig.results["one"]?.verdict == .complete && rig.files.count == 1)
        #expect(try rig.span("one.mp3").to < 181)
    }

    @Test("H2: A show whose beginning a reload moves is judged by all its audio also after a restart")
    func restarted() throws {
        var station = DaemonRig.station("fip", shows: [try rig.show("one", from: 10, to: 100)])
        try rig.beginWithCatalog(try rig.configuration([station]), for: 40)
        station.shows = [try rig.show("one", from: 20, to: 100)]
        rig.apply(try rig.configuration([station]))
        rig.live(20)
        rig.crash(away: .seconds(2))
        try rig.startAgain(try rig.configuration([station]), for: 60)
        // The burst covers the time between both runs.
        #expect(rig.results["one"]?.verdict == .complete, "\(String(describing: rig.results["one"]))")
    }
}

// SPDX-License-Identifier: MIT

import Catalog
import Configuration
import Instants
import RadioCore
import Stations
import TestSupport
import Testing

@testable import Daemon

/// What recordings say of an outage in which the configuration changes.
struct ReloadGapTests {
    enum Change: CaseIterable { case files, twice, address, segments }

    /// A station that is away from 20 s on, as it is before and after a change at 36 s.
    private static func away(
        for length: Duration = .seconds(22), showUntil end: Double? = nil
    ) throws -> (rig: DaemonRig, station: StationConfiguration) {
        let rig = try DaemonRig(["fip": DaemonRig.script([.init(.seconds(20), for: length, .gone)])])
        var station = DaemonRig.station("fip", record: end == nil ? .always : .shows)
        if let end { station.shows = [try rig.show("one", from: 2, to: end)] }
        try rig.beginWithCatalog(try rig.configuration([station]), for: 36)
        return (rig, station)
    }

    @Test(
        "I12: A hole in which a reload changes a recording is in the new recording, with its cause, and nowhere else",
        arguments: Change.allCases)
    func hole(_ change: Change) throws {
        var (rig, station) = try Self.away()
        switch change {
        case .files, .twice: station.files.name = try NameTemplate(parsing: "other %s")
        case .address: station.source.urls = ["http://fip/other"]
        case .segments: station.files.segment = .period(.seconds(3_600))
        }
        rig.apply(try rig.configuration([station]))
        rig.live(2)
        if change == .twice {
            station.files.name = try NameTemplate(parsing: "third %s")
            rig.apply(try rig.configuration([station]))
        }
        rig.live(25)
        let all = try rig.sidecars().sorted { ($0.value.at?.rfc3339 ?? "") < ($1.value.at?.rfc3339 ?? "") }
        try #require(all.count == 2, "\(all)")
        let spans = try all.map { name, _ in
            try rig.span(try #require(rig.files.first { $0.hasPrefix("\(name).") }))
        }
        let hole = spans[1].from - spans[0].to
        #expect(hole > 12)
        let gap = try #require(all[1].value.gaps.first)
        let seconds = Double(gap.milliseconds ?? 0) / 1_000
        #expect(all.map(\.value.gaps.count) == [0, 1] && abs(seconds - hole) < 0.2, "\(all) \(hole)")
        #expect(gap.cause != "the recording began anew" && all[1].value.continues == all[0].value.recording)
        let told = rig.told.filter { $0.name == .gap }
        #expect(told.count == 1 && abs((told.first?.seconds ?? 0) - hole) < 0.2, "\(told)")
        rig.daemon.stop()
        rig.live(2)
        let listed = try rig.ask { store throws(CatalogError) in try store.recordings(CatalogQuery()) }
        #expect(listed.map(\.gaps) == [1, 0], "\(listed)")
    }

    @Test("I12: A hole in which a reload changes a show, and in which the show ends, is reported once")
    func showEnds() throws {
        var (rig, station) = try Self.away(for: .seconds(60), showUntil: 44)
        station.source.urls = ["http://fip/other"]
        rig.apply(try rig.configuration([station]))
        rig.live(40)
        let told = rig.told.filter { $0.name == .gap }
        #expect(told.count == 1 && abs((told.first?.seconds ?? 0) - 24) < 1, "\(told)")
    }

    @Test("I12: A hole in which a reload changes a recording, and another one ends it, is reported once")
    func ends() throws {
        var (rig, station) = try Self.away()
        station.files.name = try NameTemplate(parsing: "other %s")
        rig.apply(try rig.configuration([station]))
        rig.live(2)
        rig.apply(try rig.configuration([]))
        rig.live(10)
        let told = rig.told.filter { $0.name == .gap }
        #expect(told.count == 1 && abs((told.first?.seconds ?? 0) - 18) < 1, "\(told)")
    }
}

// SPDX-License-Identifier: MIT

import Configuration
import Instants
import RadioCore
import RadioFormats
import TestSupport
import Testing

@testable import Daemon

/// What is missing because the configuration did not ask for it.
struct AskedTimesTests {
    private let rig: DaemonRig

    init() throws { rig = try DaemonRig(["fip": DaemonRig.script()]) }

    private static func at(_ seconds: Double) -> WallInstant { WallInstant(nanoseconds: 0) + .seconds(seconds) }

    private static func configuration(_ stations: String...) -> Configuration {
        var configuration = Configuration()
        configuration.stations = stations.map { DaemonRig.station($0) }
        return configuration
    }

    @Test("I20: The times at which a station was not asked for are known, over restarts") func times() {
        var times = AskedTimes()
        func change(_ configuration: Configuration, at seconds: Double) {
            times = AskedTimes(times.json(in: 10_000))
            #expect(times.apply(configuration, at: Self.at(seconds)) == (seconds < 60))
        }
        change(Self.configuration("a", "b"), at: 10)
        change(Self.configuration("a", "c"), at: 20)
        change(Self.configuration("a", "b"), at: 50)
        change(Self.configuration("a", "b"), at: 60)
        func spans(_ station: String) -> [Range<WallInstant>] {
            times.causes(of: Asked(station)).map { $0.span.clamped(to: Self.at(0)..<Self.at(100)) }
        }
        #expect(spans("a").isEmpty && spans("b") == [Self.at(20)..<Self.at(50)])
        #expect(spans("c") == [Self.at(0)..<Self.at(20), Self.at(50)..<Self.at(100)])
        #expect(times.json(in: 10) == .null && AskedTimes(.null).causes(of: Asked("a")).isEmpty)
    }

    @Test("I20: A time of which the clock says that it is still to come explains nothing") func ahead() {
        var times = AskedTimes()
        _ = times.apply(Self.configuration("a"), at: Self.at(1_000))
        _ = times.apply(Self.configuration("a", "b"), at: Self.at(2_000))
        #expect(times.causes(of: Asked("b")).count == 1)
        _ = times.apply(Self.configuration("a", "b"), at: Self.at(100))
        #expect(times.causes(of: Asked("b")).isEmpty)
    }

    @Test(
        "I20: What is missing of a show because its station got another ID while it was on was not asked for",
        arguments: [false, true])
    func renamed(dies: Bool) throws {
        var station = DaemonRig.station("fip", shows: [try rig.show("one", from: 5, to: 60)])
        try rig.beginWithCatalog(try rig.configuration([station]), for: 25)
        station.id = "nova"
        let configuration = try rig.configuration([station])
        rig.apply(configuration)
        rig.live(10)
        if dies {
            rig.crash(away: .seconds(2))
            try rig.startAgain(configuration)
        }
        rig.live(45)
        let result = try #require(rig.results["one"])
        #expect(result.cause == AskedTimes.cause && abs(result.lost.inSeconds - 16) < 1.5, "\(result)")
    }

    @Test("I20: What is missing of a manual recording because its station was removed was not asked for")
    func removed() throws {
        try rig.beginWithCatalog(try rig.configuration([DaemonRig.station("fip")]), for: 2)
        _ = try #require(rig.daemon.record("fip", for: .seconds(60)))
        rig.live(20)
        rig.apply(try rig.configuration([]))
        rig.live(5)
        let result = try #require(rig.manualResults[1])
        #expect(result.cause == AskedTimes.cause && abs(result.lost.inSeconds - 40) < 1, "\(result)")
    }

    @Test(
        "I20: What users had stopped of a show, until they took that back after a restart, was not asked for",
        arguments: [false, true])
    func stopped(dies: Bool) throws {
        let station = DaemonRig.station("fip", shows: [try rig.show("one", from: 5, to: 100)])
        let configuration = try rig.configuration([station])
        try rig.beginWithCatalog(configuration, for: 20)
        let requests = rig.daemon.showRequests
        let broadcast = Set(try requests.present(of: requests.show(named: "one")).map(\.key))
        try rig.daemon.skip(broadcast, true)
        rig.live(10)
        if dies {
            rig.crash(away: .seconds(2))
        } else {
            rig.daemon.stop()
            rig.live(2)
            rig.restart()
        }
        try rig.startAgain(configuration, for: 10)
        try rig.daemon.skip(broadcast, false)
        rig.live(75)
        let result = try #require(rig.results["one"])
        #expect(result.cause == AskedTimes.cause && (5...22).contains(result.lost.inSeconds), "\(result)")
    }

    @Test("I20: A broadcast that a reload moves while it is on is asked for from then on, or from its new start on")
    func moved() throws {
        let (one, other) = (try rig.show("one", from: 0, to: 100).show, try rig.show("one", from: 50, to: 150).show)
        func airing(_ show: Show) throws -> ShowAiring {
            let now = rig.reactor.wallNow
            let found = show.airings(overlapping: now - .seconds(200)..<now + .seconds(200), in: FixedZone.utc)
            return ShowAiring(station: "fip", show: show, airing: try #require(found.first))
        }
        let (old, new) = (try airing(one), try airing(other))
        let now = old.window.lowerBound + .seconds(20)
        var times = AskedTimes()
        _ = times.apply(Self.configuration("fip"), at: now)
        #expect(times.change([old], to: [], at: now) { _ in new })
        times = AskedTimes(times.json(in: 10_000))
        _ = times.apply(Self.configuration("fip"), at: now)
        #expect(times.causes(of: Asked(old.key)).map(\.span) == [now..<new.window.lowerBound])
        // To an earlier time.
        times = AskedTimes()
        #expect(times.change([], to: [old], at: now) { _ in old })
        #expect(times.causes(of: Asked(old.key)).map(\.span) == [old.window.lowerBound..<now])
    }

    @Test("I20: A station that is removed, and added again right after the start, has no gap") func again() throws {
        let configuration = try rig.configuration([DaemonRig.station("fip", record: .always)])
        try rig.beginWithCatalog(configuration, for: 8)
        rig.apply(try rig.configuration([]))
        rig.live(10)
        rig.apply(configuration)
        rig.live(10)
        let sidecars = try rig.sidecars().values
        let told = rig.told.filter { $0.name == .gap }
        #expect(sidecars.count == 2 && sidecars.allSatisfy(\.gaps.isEmpty) && told.isEmpty, "\(sidecars) \(told)")
    }
}

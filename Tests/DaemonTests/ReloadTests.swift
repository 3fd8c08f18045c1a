// SPDX-License-Identifier: MIT

import Configuration
import HTTPServer
import Instants
import RadioCore
import RadioFormats
import Stations
import TestSupport
import TestTools
import Testing

@testable import Daemon
@testable import Engine

/// A daemon that gets one configuration after the other.
struct ReloadTests {
    private static let broadcast = Broadcast([.music(.seconds(400))], MPEGShape(48))
    private static let hosts = ["a", "b", "c", "d"]

    private static var scripts: [String: LiveScript] {
        Dictionary((hosts + ["fip"]).map { ($0, LiveScript(.stream(LiveStream(broadcast, burst: 24_000)))) }) { $1 }
    }

    /// A station that varies at random in everything that can vary.
    private static func drawn(_ host: String, _ random: inout SplitMix64) -> StationConfiguration {
        var station = DaemonRig.station(host, record: Bool.random(using: &random) ? .always : .never)
        station.name = Bool.random(using: &random) ? host : "\(host) two"
        if Bool.random(using: &random) { station.files.segment = .title }
        if Bool.random(using: &random) { station.source.charset = .windows1251 }
        if Bool.random(using: &random) {
            station.relay = nil
        } else if Bool.random(using: &random) {
            station.relay?.burst = .seconds(2)
        }
        return station
    }

    /// Applies a thousand configurations, each for a quarter of a second. One station is the same in all of them.
    @Test("A thousand reloads do not affect an unchanged station, and nothing remains of the changed ones")
    func thousandReloads() throws {
        let rig = try DaemonRig(Self.scripts)
        var random = SplitMix64(seed: 15)
        let stays = DaemonRig.station("fip", record: .always)
        var configuration = try rig.configuration([stays])
        rig.apply(configuration, for: 2)
        let listener = rig.listen("fip")
        for _ in 0..<1_000 {
            configuration.stations = [stays]
            for host in Self.hosts where Bool.random(using: &random) {
                configuration.stations.append(Self.drawn(host, &random))
            }
            configuration.stations.shuffle(using: &random)
            configuration.server.mostPerAddress = Int.random(in: 10...20, using: &random)
            rig.apply(configuration)
            rig.run(0.25) { _ = listener.collect() }
        }
        configuration.stations = [stays]
        rig.apply(configuration)
        rig.run(15) { _ = listener.collect() }
        #expect(rig.snapshot.programmes.count == 1 && rig.snapshot.uses.count == 2)
        #expect(rig.origin.transfersUnderWay == 1)
        rig.daemon.stop()
        rig.run(1)
        #expect(rig.events.contains { if case .stopped = $0 { true } else { false } })
        #expect(rig.snapshot.uses.isEmpty && rig.origin.transfersUnderWay == 0)

        let starts = Self.broadcast.starts
        let name = try #require(rig.files.first { $0.hasPrefix("fip") })
        let recorded = try #require(Self.broadcast.stretch(of: try rig.audio(name), startingAt: starts))
        #expect(rig.files.count { $0.hasPrefix("fip") } == 1 && Double(recorded.count) * 1152 / 44_100 > 266)
        let body = listener.collect().body
        let heard = try #require(Self.broadcast.stretch(of: body, startingAt: starts))
        #expect(Double(heard.count) * 1152 / 44_100 > 264)
        #expect(rig.origin.log.accepts.count { $0.host == "fip" } == 1)
    }

    @Test("A recording whose settings change continues in another file without a lost frame")
    func changedRecording() throws {
        let rig = try DaemonRig(Self.scripts)
        var station = DaemonRig.station("fip", record: .always)
        rig.apply(try rig.configuration([station]), for: 10)
        station.files.titleOffset = .seconds(1)
        rig.apply(try rig.configuration([station]), for: 10)
        rig.daemon.stop()
        rig.run(1)
        let starts = Self.broadcast.starts
        let places = try rig.files.map {
            try #require(Self.broadcast.stretch(of: try rig.audio($0), startingAt: starts))
        }
        #expect(places.count == 2 && places[1].lowerBound <= places[0].upperBound, "\(places)")
        #expect(rig.origin.log.accepts.count == 1)
    }

    @Test("A station that gets levels is recorded in another file, which has them beside pure audio")
    func levels() throws {
        var parameters = ReferenceProgramme.Parameters(.mp3(128), seed: 3)
        parameters.scenes = [.music(60)]
        var script = LiveScript(.stream(LiveStream(try Broadcast(ReferenceProgramme(parameters)), burst: 16_000)))
        script.onAir = .seconds(2)
        let rig = try DaemonRig(["fip": script])
        var station = DaemonRig.station("fip", record: .always)
        rig.apply(try rig.configuration([station]), for: 5)
        station.options[try #require(Companion.levels.option)] = true
        rig.apply(try rig.configuration([station]))
        rig.run(10) { rig.reactor.pump { rig.registry.context.taps.areUpToDate } }
        rig.daemon.stop()
        rig.run(1) { rig.reactor.pump { rig.registry.context.taps.areUpToDate } }
        let files = rig.files
        try #require(files.count == 2)
        let levels = rig.folder.names(in: "recordings").filter { $0.hasSuffix(".levels") }
        #expect(levels == ["\(files[1].dropLast(4)).levels"])
        let read = Levels(bytes: try rig.folder.read("recordings/\(levels.first ?? "")"))
        #expect(read.map { $0.seconds > 8 && $0.areWhole(for: $0.seconds) } == true)
    }

    @Test("Addresses that stay are not closed, even beside an address that is unavailable") func keptAddresses() throws
    {
        let rig = try DaemonRig(Self.scripts)
        var configuration = try rig.configuration([DaemonRig.station("fip")])
        rig.apply(configuration, for: 2)
        let port = rig.port
        let listener = rig.listen("fip")
        rig.run(2)
        configuration.server.hostNames = ["radio.example"]
        rig.apply(configuration)
        let taken = try Loopback.listen(port: try Loopback.freePort())
        let other = try #require(SocketAddress("127.0.0.1:\(try Loopback.port(of: taken))"))
        configuration.server.listen.append(other)
        rig.apply(configuration, for: 2)
        Loopback.close(taken)
        #expect(rig.events.contains { if case .notListening = $0 { true } else { false } } && rig.port == port)
        configuration.server.listen = [other]
        rig.apply(configuration, for: 2)
        #expect(rig.port == other.port && listener.collect().end == nil)
    }
}

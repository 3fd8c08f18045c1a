// SPDX-License-Identifier: MIT

import Configuration
import Instants
import RadioCore
import TestSupport
import TestTools
import Testing

@testable import Daemon
@testable import Engine

/// From the frames of a silent station to what hooks and sidecars say of it. Frames are decoded; time is virtual.
struct SilentStationTests {
    private static let threshold = 3.0
    private static let onAir = 4.0

    /// A daemon that records the station, and what hooks were told when, in seconds of the programme.
    private final class Watched {
        let rig: DaemonRig
        private(set) var told: [(at: Double, event: HookEvent)] = []

        init(
            _ scenes: [ReferenceProgramme.Scene], away: [LiveScript.Absence] = [], withCatalog: Bool = false
        ) throws {
            var parameters = ReferenceProgramme.Parameters(.mp3(64), seed: 7)
            parameters.scenes = scenes
            let broadcast = try Broadcast(ReferenceProgramme(parameters))
            var script = LiveScript(.stream(LiveStream(broadcast, burst: 8_000)))
            (script.onAir, script.absences) = (.seconds(onAir), away)
            rig = try DaemonRig(["fip": script])
            let configuration = try rig.configuration([station()])
            if withCatalog { try rig.beginWithCatalog(configuration) } else { rig.apply(configuration) }
        }

        func station(_ threshold: Double? = SilentStationTests.threshold) -> StationConfiguration {
            var station = DaemonRig.station("fip", record: .always)
            station.options[.silence] = threshold.map { .seconds($0) }
            return station
        }

        func run(_ seconds: Double) {
            rig.run(seconds) {
                rig.reactor.pump { rig.registry.context.taps.areUpToDate }
                let new = rig.told.filter { $0.name == .silence || $0.name == .soundBack }.dropFirst(told.count)
                let at = (rig.reactor.wallNow - rig.began).inSeconds + onAir
                told += new.map { (at, $0) }
            }
        }

        /// The stretches in the sidecar of the only file.
        func stretches() throws -> Sidecar.Stretches {
            rig.daemon.stop()
            rig.run(2)
            return try #require(try rig.sidecars().values.first).stretches
        }
    }

    @Test("A38: silence, hiss and one tone are told within a second of the threshold, and their ends; a pause is not")
    func told() throws {
        let scenes: [ReferenceProgramme.Scene] = [
            .music(8), .silence(5), .music(4), .hiss(5), .music(4), .tone(5), .half(6), .silence(2), .music(6),
        ]
        let watched = try Watched(scenes)
        watched.run(38)
        let found = watched.told
        #expect(found.map(\.event.name) == [.silence, .soundBack, .silence, .soundBack, .silence, .soundBack])
        for (event, start) in zip(found, [8.0, 13, 17, 22, 26, 31]) {
            let patience = event.event.name == .silence ? Self.threshold : 1
            #expect(start + patience..<start + patience + 1 ~= event.at, "\(event)")
        }
        for back in found where back.event.name == .soundBack {
            #expect(back.event.seconds.map { abs($0 - 5) < 0.2 } == true)
        }
        #expect(found.map(\.event.cause)[4] == "the station sends one tone" && found[0].event.station == "fip")
        let stretches = try watched.stretches()
        #expect(stretches[.silence].count == 2 && stretches[.tone].count == 1)
        let all = stretches[.silence] + stretches[.tone]
        for (stretch, start) in zip(all, [8.0, 17, 26]) {
            #expect(abs(Double(stretch.milliseconds) - 5_000) < 200, "\(stretch)")
            let at = (stretch.at.instant - watched.rig.began).inSeconds + Self.onAir
            #expect(abs(at - start) < 0.3, "\(at) \(start)")
        }
    }

    @Test("A44: a tone that ends in silence is one stretch for hooks, and two for the sidecar")
    func toneAndSilence() throws {
        let watched = try Watched([.music(8), .tone(5), .silence(5), .tone(5), .music(8)])
        watched.run(29)
        #expect(watched.told.map(\.event.name) == [.silence, .soundBack])
        #expect(watched.told.last?.event.seconds.map { abs($0 - 15) < 0.2 } == true)
        let stretches = try watched.stretches()
        for (stretch, start) in zip(stretches[.tone] + stretches[.silence], [8.0, 18, 13]) {
            #expect(abs(Double(stretch.milliseconds) - 5_000) < 200, "\(stretch)")
            let at = (stretch.at.instant - watched.rig.began).inSeconds + Self.onAir
            #expect(abs(at - start) < 0.3, "\(at) \(start)")
        }
        #expect(stretches[.tone].count == 2 && stretches[.silence].count == 1)
    }

    @Test("A39: a station that is silent from its first frame on is told") func fromTheBeginning() throws {
        let watched = try Watched([.silence(20), .music(5)])
        watched.run(8)
        #expect(watched.told.map(\.event.name) == [.silence])
    }

    @Test("A40: an outage is no silence, and what players hear meanwhile is not the station") func outage() throws {
        let watched = try Watched([.music(60)], away: [.init(.seconds(5), for: .seconds(12), .gone)])
        watched.run(4)
        let listener = watched.rig.listen("fip")
        watched.run(30)
        #expect(watched.told.isEmpty && watched.rig.told.contains { $0.name == .gap })
        #expect(listener.collect().received.count > 10_000)
    }

    @Test("A41: a reload that ends the watch ends the silence that was told, and touches no recording")
    func reload() throws {
        let watched = try Watched([.music(6), .silence(60)])
        watched.run(8)
        #expect(watched.told.map(\.event.name) == [.silence])
        watched.rig.apply(try watched.rig.configuration([watched.station(nil)]))
        watched.run(10)
        #expect(watched.told.map(\.event.name) == [.silence, .soundBack] && watched.told.last?.event.cause != nil)
        watched.rig.apply(try watched.rig.configuration([watched.station(5)]))
        watched.run(8)
        #expect(watched.told.map(\.event.name) == [.silence, .soundBack, .silence])
        #expect(watched.rig.files.count == 1)
    }

    @Test("A41: a silence that is told before a crash has its end told by the next run") func crash() throws {
        let watched = try Watched([.music(6), .silence(60)], withCatalog: true)
        watched.run(8)
        #expect(watched.told.map(\.event.name) == [.silence])
        watched.rig.crash(away: .seconds(2))
        try watched.rig.startAgain(try watched.rig.configuration([watched.station()]))
        watched.run(1)
        #expect(watched.told.map(\.event.name) == [.silence, .soundBack] && watched.told.last?.event.cause != nil)
        #expect(watched.told.allSatisfy { $0.event.stationName == "fip" }, "\(watched.told)")
        watched.run(8)
        #expect(watched.told.map(\.event.name) == [.silence, .soundBack, .silence])
    }
}

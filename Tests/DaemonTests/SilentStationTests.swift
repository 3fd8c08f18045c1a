// SPDX-License-Identifier: MIT

import Analysis
import Configuration
import Decoding
import Instants
import Platform
import RadioCore
import RadioFormats
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
            _ scenes: [ReferenceProgramme.Scene], away: [LiveScript.Absence] = [], withCatalog: Bool = false,
            decoder: DecodingThread.Maker? = nil
        ) throws {
            var parameters = ReferenceProgramme.Parameters(.mp3(64), seed: 7)
            parameters.scenes = scenes
            let broadcast = try Broadcast(ReferenceProgramme(parameters))
            var script = LiveScript(.stream(LiveStream(broadcast, burst: 8_000)))
            (script.onAir, script.absences) = (.seconds(onAir), away)
            rig = try DaemonRig(["fip": script])
            if let decoder { rig.registry.context.taps.makeDecoder = decoder }
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

    /// A decoder whose calls fail while `isBroken` is set.
    private final class FragileDecoder: Decoding {
        private let decoder: any Decoding
        private let isBroken: Monitor<Bool>

        init(_ format: StreamFormat, _ isBroken: Monitor<Bool>) throws(DecodingError) {
            self.isBroken = isBroken
            decoder = try Decoders.make(for: format)
            try check()
        }

        private func check() throws(DecodingError) { if isBroken.withLock({ $0 }) { throw .failed("it crashes") } }

        func put(_ frame: UnsafeRawBufferPointer, at instant: Int64) throws(DecodingError) -> Bool {
            try check()
            return try decoder.put(frame, at: instant)
        }

        func next() throws(DecodingError) -> PCMBlock? { try decoder.next() }
        func finish() { decoder.finish() }
        var isFinished: Bool { decoder.isFinished }
        var descriptor: CInt? { nil }
    }

    @Test(
        "A42: a decoder that fails is tried again: a silence that was told ends with sound, and another begins anew",
        arguments: [(6.0, 20.0, [9.0, 23]), (6, 28, [9, 29]), (10, 24, [])])
    func decoderFails(silence: Double, music: Double, expected: [Double]) throws {
        let isBroken = Monitor(false)
        let scenes: [ReferenceProgramme.Scene] = [.music(silence), .silence(music - silence), .music(14)]
        let watched = try Watched(scenes) { format throws(DecodingError) in try FragileDecoder(format, isBroken) }
        watched.run(12 - Self.onAir)
        isBroken.withLock { $0 = true }
        watched.run(9)
        isBroken.withLock { $0 = false }
        watched.run(12)
        #expect(watched.told.map(\.event.name) == (expected.isEmpty ? [] : [.silence, .soundBack]))
        for (event, at) in zip(watched.told, expected) { #expect(at..<at + 2 ~= event.at, "\(event)") }
        let reports = watched.rig.events.compactMap { event -> WatchReport? in
            guard case .use(_, .other(let report)) = event else { return nil }
            return report as? WatchReport
        }
        #expect(reports.count { if case .cannotHear = $0 { true } else { false } } == 1)
        #expect(reports.count { if case .hearsAgain = $0 { true } else { false } } == 1)
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

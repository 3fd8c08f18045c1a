// SPDX-License-Identifier: MIT

import Configuration
import Instants
import RadioCore
import Stations
import TestSupport
import Testing

@testable import Daemon

/// What results say of audio that is not the station's, in this run and in the next one.
struct ForeignAudioTests {
    private static let programme = Broadcast([.music(.seconds(200))], seed: 1)

    /// A station that is away from 20 s to 40 s. A file of 15 s, or a stream of another name, is in its place.
    private static func script(hasFile: Bool) -> LiveScript {
        let other = Broadcast([.music(.seconds(hasFile ? 15 : 200))], seed: 2)
        return LiveScript { visit in
            let isAway = (20..<40).contains(visit.time.inSeconds)
            if hasFile, isAway {
                var head = LiveHead(200, "OK", [:])
                head.fields = [("Content-Type", "audio/mpeg"), ("Content-Length", "\(other.bytes.count)")]
                return .response(head, body: other.bytes)
            }
            let end: Duration? = isAway ? .seconds(40) : visit.time < .seconds(20) ? .seconds(20) : nil
            return .stream(
                LiveStream(
                    isAway ? other : programme, burst: 24_000, faults: end.map { [.at($0 - visit.time, .reset)] } ?? [],
                    fields: ["icy-name": isAway ? "B" : "A"]))
        }
    }

    @Test(
        "A34: What foreign audio took from a show and from a manual recording is missing, also after a restart",
        arguments: [true, false], [true, false])
    func missing(hasFile: Bool, dies: Bool) throws {
        let rig = try DaemonRig(["fip": Self.script(hasFile: hasFile)])
        let station = DaemonRig.station("fip", shows: [try rig.show("one", from: 2, to: 120)])
        let configuration = try rig.configuration([station])
        try rig.beginWithCatalog(configuration)
        rig.run(3)
        _ = try #require(rig.daemon.record("fip", for: .seconds(115)))
        rig.live(70, step: 10)
        if dies {
            rig.crash(away: .seconds(8))
            try rig.startAgain(configuration)
        }
        rig.live(80, step: 2)
        #expect(rig.reactor.pump { rig.results["one"] != nil && rig.manualResults[1] != nil })

        let checker = FrameChecker(Self.programme)
        for result in [try #require(rig.results["one"]), try #require(rig.manualResults[1])] {
            let names = result.files.compactMap { $0.split(separator: "/").last.map(String.init) }
            #expect(names.count > (dies ? 1 : 0), "\(names)")
            let reports = try names.map { checker.check(try rig.audio($0)) }
            #expect(reports.contains { $0.foreign > 0 })
            let kept = Set(reports.flatMap(\.places).compactMap(\.self))
            let all = try #require(kept.min())...(try #require(kept.max()))
            let lost = Double(all.count - kept.count) * 1_152 / 44_100
            #expect(lost > 10 && abs(result.lost.inSeconds - lost) < 1, "\(result) lacks \(lost)")
        }
    }

    private static let list = LiveScript(.text("#EXTM3U\nhttp://a.test/\nhttp://b.test/\n", type: "audio/x-mpegurl"))

    private static func server(
        _ name: String, _ broadcast: Broadcast, _ absences: [LiveScript.Absence] = []
    ) -> LiveScript {
        let stream = LiveStream(broadcast, burst: 24_000, fields: ["icy-name": name])
        return LiveScript(.stream(stream), absences: absences)
    }

    @Test("A34: Another station that was recorded last before a crash is not taken for the one that returns after it")
    func lastBeforeCrash() throws {
        let other = Broadcast([.music(.seconds(200))], seed: 2)
        let away = LiveScript.Absence(.seconds(20), for: .seconds(25), .gone)
        let rig = try DaemonRig([
            "fip": Self.list, "a.test": Self.server("A", Self.programme, [away]), "b.test": Self.server("B", other),
        ])
        var station = DaemonRig.station("fip")
        station.source.takesAnyEntry = true
        station.shows = [try rig.show("one", from: 2, to: 100)]
        let configuration = try rig.configuration([station])
        try rig.beginWithCatalog(configuration)
        rig.run(3)
        _ = try #require(rig.daemon.record("fip", for: .seconds(95)))
        rig.live(35, step: 5)
        rig.crash(away: .seconds(12))
        try rig.startAgain(configuration)
        rig.live(80, step: 2)
        #expect(rig.reactor.pump { rig.results["one"] != nil && rig.manualResults[1] != nil })

        let (own, its) = (FrameChecker(Self.programme), FrameChecker(other))
        for result in [try #require(rig.results["one"]), try #require(rig.manualResults[1])] {
            let names = result.files.compactMap { $0.split(separator: "/").last.map(String.init) }
            let audio = try names.map { try rig.audio($0) }
            let reports = audio.map { own.check($0) }.filter { $0.places.contains { $0 != nil } }
            // Nothing that either of them sent is dropped, and each file is of one station.
            #expect(names.count == 3 && reports.count == 2, "\(names)")
            #expect(reports.allSatisfy { $0.foreign == 0 && $0.lost.isEmpty && $0.duplicated.isEmpty }, "\(reports)")
            #expect(audio.map { its.check($0) }.contains { $0.foreign == 0 && $0.places.count > 300 })
            let kept = Set(reports.flatMap(\.places).compactMap(\.self))
            let all = try #require(kept.min())...(try #require(kept.max()))
            let lost = Double(all.count - kept.count) * 1_152 / 44_100
            #expect(lost > 20 && abs(result.lost.inSeconds - lost) < 1, "\(result) lacks \(lost)")
            #expect(result.causes.count == 2 && result.causes.last?.text == Downtimes.cause, "\(result.causes)")
        }
    }

    @Test("A33: A recording that begins during an advert lacks what was on air since its own beginning")
    func duringAdvert() throws {
        let advert = Broadcast([.music(.seconds(20))], seed: 3)
        let file = LiveScript { visit in
            var stream = LiveStream(advert, burst: 0, fields: ["Content-Length": "\(advert.bytes.count)"])
            // Each connection begins with its first frame.
            stream.lag = .seconds(40) + visit.time
            stream.faults = [.afterBytes(advert.bytes.count, .close)]
            return .stream(stream)
        }
        let rig = try DaemonRig(["fip": Self.list, "a.test": file, "b.test": Self.server("B", Self.programme)])
        rig.apply(try rig.configuration([DaemonRig.station("fip", record: .always)]), for: 5)
        _ = try #require(rig.daemon.record("fip", for: .seconds(30)))
        rig.run(50)
        let result = try #require(rig.manualResults[1])
        let names = result.files.compactMap { $0.split(separator: "/").last.map(String.init) }
        let report = FrameChecker(Self.programme).check(try names.map { try rig.audio($0) })
        let first = try #require(report.places.compactMap(\.self).min())
        // When the station was heard first, since the beginning of the test.
        let heard = (Self.programme.frames[first].start - .seconds(40)).inSeconds
        let all = try rig.sidecars()
        let sidecars = names.compactMap { all[String($0.dropLast(4))] }
        let gap = try #require(sidecars.flatMap(\.gaps).first)
        let foreign = try #require(sidecars.flatMap(\.foreign).first)
        func seconds(_ time: CivilTime) -> Double { (time.instant - rig.began).inSeconds }
        #expect(sidecars.flatMap(\.gaps).count == 1 && abs(seconds(gap.at) - 5) < 0.2, "\(gap)")
        let missing = Double(gap.milliseconds ?? 0) / 1_000
        #expect(abs(5 + missing - heard) < 0.3 && heard > 16, "\(gap), \(heard)")
        #expect(abs(result.lost.inSeconds - missing) < 0.3, "\(result)")
        #expect(foreign.position == 0 && Int(foreign.frames) == report.foreign && report.foreign > 500, "\(foreign)")
        #expect(abs(seconds(foreign.at) - 5) < 0.3 && abs(foreign.milliseconds - 15_000) < 500, "\(foreign)")
    }
}

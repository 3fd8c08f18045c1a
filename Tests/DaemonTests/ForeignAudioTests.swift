// SPDX-License-Identifier: MIT

import Configuration
import Instants
import RadioCore
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
            var stream = LiveStream(
                isAway ? other : programme, burst: 24_000, faults: end.map { [.at($0 - visit.time, .reset)] } ?? [])
            stream.head = LiveHead(200, "OK", ["icy-name": isAway ? "B" : "A"])
            return .stream(stream)
        }
    }

    @Test(
        "A34: What foreign audio took from a show and from a manual recording is missing, also after a restart",
        arguments: [true, false], [true, false])
    func missing(hasFile: Bool, dies: Bool) throws {
        let rig = try DaemonRig(["fip": Self.script(hasFile: hasFile)])
        var station = DaemonRig.station("fip")
        station.shows = [try rig.show("one", from: 2, to: 120)]
        let configuration = try rig.configuration([station])
        try rig.beginWithCatalog(configuration)
        rig.run(3)
        _ = try #require(rig.daemon.record("fip", for: .seconds(115)))
        for _ in 0..<7 {
            rig.run(10)
            #expect(rig.waitForCatalog())
        }
        if dies {
            rig.crash(away: .seconds(8))
            try rig.startAgain(configuration)
        }
        for _ in 0..<40 {
            rig.run(2)
            #expect(rig.waitForCatalog())
        }
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
}

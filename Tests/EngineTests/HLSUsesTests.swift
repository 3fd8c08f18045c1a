// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import Recorder
import Stations
import TestSupport
import TestTools
import Testing

@testable import Engine

/// A recorder and a relay listener that share one HLS station.
struct HLSUsesTests {
    @Test("Through twenty faults the listener stays, and the recording is whole in the end") func mixedTrouble() throws
    {
        let programme = Broadcast([.music(.seconds(850))], MPEGShape(48))
        let hls = VirtualHLS(HLSMixedTrouble.script(of: programme), in: PolledReactor())
        let rig = try EngineRig(["radio.test": hls.live])
        let settings = StationSettings(urls: ["http://radio.test/live.m3u8"], userAgent: "Aircheck/test")
        rig.registry.perform(.add(ProgrammeID("hls"), .station(settings)))
        rig.record("file", of: "hls") { $0.settings.writesSidecars = true }
        rig.mount("live", of: "hls")
        rig.run(5)
        let client = rig.listen("live")
        rig.run(HLSMixedTrouble.length.inSeconds) { client.collect() }
        #expect(client.end == nil)
        rig.end("file")
        rig.run(1)
        #expect(rig.reactor.pump { rig.recording("file") != nil })
        let report = try #require(rig.recording("file")).report
        #expect(report.gaps.isEmpty && !report.healed.isEmpty && report.files.count == 1, "\(report.gaps)")
        let source = PlayedFrames.Source(programme)
        let recorded = PlayedFrames(try rig.audio("file"), of: source, nil)
        #expect(recorded.foreign == nil && recorded.fillers == 0 && recorded.own.isUnbroken)
        #expect(recorded.own.count > Int(HLSMixedTrouble.length.inSeconds * 38))
        // What is given up for the listener is left out, and nothing comes twice.
        let heard = PlayedFrames(client.body, of: source, nil)
        #expect(heard.foreign == nil && zip(heard.own, heard.own.dropFirst()).allSatisfy { $0 < $1 })
        let lost = zip(heard.own, heard.own.dropFirst()).filter { $1 > $0 + 1 }
        #expect(lost.count <= 4, "\(lost)")
    }

    @Test("A station that is refused by name leaves others unharmed, and a probe says why") func refused() throws {
        let programme = Broadcast([.music(.seconds(200))], MPEGShape(48))
        let list = "#EXTM3U\n#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"skd://1\"\n#EXTINF:6,\n0.ts\n"
        let bad = LiveScript { visit in
            visit.target == "/live" ? .text(list, type: "application/vnd.apple.mpegurl") : .status(404)
        }
        let good = HLSScript(HLSRendition(programme, window: 60)).with { $0.onAir = .seconds(100) }
        let rig = try EngineRig(["bad": bad], segments: ["good": good])
        rig.begin("probe", ProbeSpec(), of: "bad")
        for id in ["good", "bad"] { rig.record(id, of: id) { $0.duration = .seconds(20) } }
        rig.run(25)
        let failure = try #require(rig.recording("bad")?.failure)
        #expect(failure.words.contains("encrypted (SAMPLE-AES)"), "\(failure.words)")
        #expect((rig.outcomes[UseID("probe")] as? ProbeResult)?.failure == failure)
        let report = try #require(rig.recording("good")).report
        let places = programme.stretch(of: try rig.audio("good"), startingAt: programme.starts)
        #expect(report.gaps.isEmpty && places?.count == Int(report.frames) && report.seconds > 19)
    }
}

extension Array<Int> {
    fileprivate var isUnbroken: Bool { zip(self, dropFirst()).allSatisfy { $1 == $0 + 1 } }
}

// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import Recorder
import Stations
import TestSupport
import TestTools
import Testing

@testable import Engine

/// A recording of a station in HLS that was away for longer than its list is, and a longer list of the same programme.
struct LongOutageTests {
    private static let mpeg = Broadcast([.music(.seconds(500))], MPEGShape(192))

    @Test("The recording has all that was on air during five minutes", arguments: ["mp3", "aac"])
    func whole(type: String) throws {
        let programme = type == "mp3" ? Self.mpeg : Broadcast.adts(.seconds(500), bitRate: 192)
        let away = HLSFault.everything(during: .seconds(100)..<(.seconds(400)), .status(503))
        let scripts = [
            "radio.test": HLSScript(HLSRendition(programme, window: 60), faults: [away]),
            "long.test": HLSScript(HLSRendition(programme, window: 1_800)),
        ]
        let rig = try EngineRig(scripts.mapValues { VirtualHLS($0, in: PolledReactor()).live })
        var settings = StationSettings(urls: ["http://radio.test/live.m3u8"], userAgent: "Aircheck/test")
        settings.healing = ["http://long.test/live.m3u8"]
        rig.registry.perform(.add(ProgrammeID("hls"), .station(settings)))
        rig.record("file", of: "hls") { $0.settings.writesSidecars = true }
        rig.run(410)
        #expect(try rig.folder.read("file/file.found").count > 4 << 20, "it waits on the disk")
        rig.end("file")
        rig.run(1)
        #expect(rig.reactor.pump { rig.recording("file") != nil })
        let report = try #require(rig.recording("file")).report
        let (gaps, healed) = (report.gaps.map(\.milliseconds), report.healed.map(\.milliseconds))
        #expect(gaps.isEmpty && healed.count == 1 && report.files.count == 1, "\(gaps) \(healed)")
        let audio = try rig.folder.read("file/file.\(type)")
        let places = programme.stretch(of: audio, startingAt: programme.starts)
        #expect((places?.count ?? 0) > programme.frames.count * 4 / 5)
        #expect(!rig.folder.names(in: "file").contains { $0.hasSuffix(".found") })
    }
}

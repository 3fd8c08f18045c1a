// SPDX-License-Identifier: MIT

import EventLoopTesting
import Instants
import RadioCore
import Stations
import TestSupport
import Testing

/// The end of a programme whose gaps are looked for in other lists.
struct HLSHealerEndTests {
    private static let programme = Broadcast([.music(.seconds(500))], MPEGShape(sampleRate: 48_000))

    /// Runs a station that has a gap, which a slow list is asked for, and ends it during that.
    private static func play() -> (programme: () -> Programme?, list: VirtualHLS, VirtualHLSStation) {
        let short = HLSScript(
            HLSRendition(programme, window: 10),
            faults: [.everything(during: .seconds(100)..<(.seconds(130)), .status(503))])
        let long = HLSScript(
            HLSRendition(programme, window: 300), faults: [HLSFault(.slow(.seconds(2))) { $0.isSegment }])
        let hls = VirtualHLSStation(
            [("radio.test", short), ("long.test", long)], path: "/live.m3u8", of: programme
        ) { $0.healing = ["http://long.test/live.m3u8"] }
        let outcome = hls.run(for: .seconds(85))
        #expect(outcome.heard.gaps.count == 1)
        return ({ [weak station = hls.station.station] in station }, hls.servers[1], hls)
    }

    @Test("A programme that has ended asks no list any more, and is freed") func ended() {
        let (programme, list, reactor) = {
            let (programme, list, hls) = Self.play()
            return (programme, list, hls.reactor)
        }()
        let asked = list.record.entries.count
        #expect(asked > 2)
        reactor.advance(by: .seconds(300))
        #expect(list.record.entries.count == asked)
        let isFreed = programme() == nil
        #expect(isFreed)
    }
}

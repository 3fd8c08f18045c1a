// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import Stations
import TestSupport
import Testing

/// Programmes whose list ends (`EXT-X-ENDLIST`).
struct HLSEndedTests {
    private static let programme = Broadcast([.music(.seconds(60))], MPEGShape(sampleRate: 48_000))

    @Test(
        "A complete programme whose addresses die every few segments is heard as a whole",
        arguments: [HLSRendition.Packaging.packed, .transportStream], [2, 7])
    func deadTokens(packaging: HLSRendition.Packaging, uses: Int) {
        var rendition = HLSRendition(Self.programme, packaging, window: 100)
        (rendition.ends, rendition.keeps) = (true, .seconds(100_000))
        let script = HLSScript(rendition).with {
            $0.onAir = .seconds(80)
            $0.gate = .init { ($0.guardsSegments, $0.uses) = (true, uses) }
        }
        let hls = VirtualHLSStation(script, path: "/station.m3u8", of: Self.programme)
        let outcome = hls.run(for: .seconds(600))
        let (isWhole, failure, report) = (outcome.isWhole, outcome.heard.failure, outcome.report.description)
        #expect(isWhole && failure == nil, "\(report)")
        #expect(outcome.report.places.count == Self.programme.frames.count)
        let entries = hls.servers[0].record.entries
        let doors = entries.filter { $0.asked.subject == .door }.map(\.asked.time)
        let segments = rendition.cuts[0].segments.count
        #expect((segments / uses...segments / uses + 2).contains(doors.count), "\(doors.count)")
        // A token costs a few refusals at most, and the list is loaded once a target duration.
        #expect(entries.filter(\.asked.isSegment).count <= segments + 5 * doors.count)
        #expect(zip(doors, doors.dropFirst()).allSatisfy { $1 - $0 >= .seconds(1) })
    }
}

// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import Stations
import TestSupport
import Testing

struct HLSHourTests {
    private static let programme = Broadcast.adts(.seconds(3700), bitRate: 32)

    @Test(
        "In an hour, no frame is lost or repeated, dates stay within 50 ms, and requests are few",
        arguments: [HLSRendition.Packaging.packed, .transportStream, .fragments])
    func hour(packaging: HLSRendition.Packaging) throws {
        let run = HLSRun { $0.segmentLength = .seconds(10) }
        let script = HLSScript(HLSRendition(Self.programme, packaging, runs: [run], window: 6))
        let hls = VirtualHLSStation(script, of: Self.programme)
        let outcome = hls.run(for: .seconds(3600))
        #expect(outcome.isWhole, "\(outcome)")
        #expect(outcome.heard.splices.isEmpty)
        #expect(outcome.report.places.count > 3550 * 48_000 / 1024)
        #expect(hls.dateError(outcome) <= .milliseconds(50), "\(hls.dateError(outcome))")
        #expect(hls.servers[0].record.requestsPerSegment <= 2.2, "\(hls.servers[0].record.requestsPerSegment)")
    }
}

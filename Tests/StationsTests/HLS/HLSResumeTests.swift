// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import Stations
import TestSupport
import Testing

/// Segments whose connection breaks off, and what is asked for then.
struct HLSResumeTests {
    private static let programme = Broadcast([.music(.seconds(120))], MPEGShape(sampleRate: 48_000))

    /// Each fourth segment breaks off after six tenths.
    private static func run(
        _ ranges: HLSScript.RangeManner, perFile: Int = 1, cuts: Int = 1
    ) -> (outcome: VirtualStation.Outcome, sent: Int, due: Int, segments: [HLSRecord.Entry]) {
        var rendition = HLSRendition(programme, window: 12)
        rendition.segmentsPerFile = perFile
        let script = HLSScript(
            rendition, faults: [.segments({ $0.number % 4 == 0 }, first: cuts, .cut(part: 0.6, isStated: true))]
        ).with { $0.ranges = ranges }
        let hls = VirtualHLSStation(script, of: programme)
        let outcome = hls.run(for: .seconds(40))
        let segments = hls.servers[0].record.entries.filter(\.asked.isSegment)
        let sizes = Set(segments.map(\.asked.subject)).map { subject in
            guard case .segment(_, let run, let index) = subject else { return 0 }
            return rendition.body(ofRun: run, segment: index).count
        }
        return (outcome, segments.reduce(0) { $0 + $1.sent }, sizes.reduce(0, +), segments)
    }

    @Test(
        "What came before a connection broke off is not fetched again",
        arguments: [HLSScript.RangeManner.sent, .dated])
    func resumed(_ ranges: HLSScript.RangeManner) {
        for cuts in [1, 3] {
            let (outcome, sent, due, segments) = Self.run(ranges, cuts: cuts)
            let (isWhole, report) = (outcome.isWhole, outcome.report.description)
            #expect(isWhole, "\(report)")
            #expect(sent == due && segments.contains { $0.status == 206 }, "\(sent) bytes of \(due)")
        }
    }

    @Test(
        "Where nothing shows that the rest is of the same segment, the segment is fetched anew",
        arguments: [HLSScript.RangeManner.weak, .changed, .ignored, .refused, .misplaced])
    func anew(_ ranges: HLSScript.RangeManner) {
        let (outcome, sent, due, segments) = Self.run(ranges)
        let (isWhole, report) = (outcome.isWhole, outcome.report.description)
        #expect(isWhole, "\(report)")
        #expect(sent > due && segments.contains { $0.status == 206 } == (ranges == .misplaced), "\(sent) of \(due)")
        let most = segments.reduce(into: [:]) { $0[$1.target, default: 0] += 1 }.values.max() ?? 0
        #expect(most <= 3, "\(most) requests for a segment")
    }

    @Test("The rest of a range that broke off is a range") func ranges() {
        for manner in [HLSScript.RangeManner.sent, .changed] {
            let (outcome, _, _, segments) = Self.run(manner, perFile: 4)
            let (isWhole, report) = (outcome.isWhole, outcome.report.description)
            #expect(isWhole && segments.contains { $0.status == 206 }, "\(manner): \(report)")
        }
    }
}

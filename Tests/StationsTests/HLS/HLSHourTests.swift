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

    @Test("If only the first segment of each list has a date, dates stay within 50 ms") func datedOnce() {
        let errors = errors(HLSDates(.first), for: .seconds(3600))
        #expect(errors.allSatisfy { $0.magnitude <= .milliseconds(50) }, "\(errors.max() ?? .zero)")
    }

    @Test("Rounded lengths of segments cost seconds at the beginning only") func rounded() {
        let errors = errors(HLSDates(.first), length: .milliseconds(6_400), rounds: true, for: .seconds(900))
        let (worst, later) = (errors.map(\.magnitude).max() ?? .zero, errors.suffix(errors.count * 9 / 10))
        #expect(worst <= .seconds(2) && later.allSatisfy { $0.magnitude <= .milliseconds(50) }, "\(worst)")
        #expect(Self.jumps(errors) <= 1)
    }

    @Test(
        "Dates are those of the station's clock, in whole seconds, off, or drifting",
        arguments: [
            (HLSDates(precision: .seconds(1)), 1_000), (HLSDates(.first, precision: .seconds(1)), 1_000),
            (HLSDates(offset: .seconds(3)), 50), (HLSDates(.first, offset: .seconds(-20)), 50),
            (HLSDates(.first, drift: 0.000_1), 50),
        ])
    func clocks(dates: HLSDates, milliseconds: Int) {
        let errors = errors(dates, length: .milliseconds(6_400), for: .seconds(900))
        let worst = errors.map(\.magnitude).max() ?? .zero
        #expect(worst <= .milliseconds(milliseconds), "\(worst)")
        // Of whole seconds, later ones may be better than the first ones.
        let later = Array(errors.suffix(errors.count * 2 / 3))
        #expect(Self.jumps(errors) <= 5 && Self.jumps(later) == 0, "\(Self.jumps(errors)), \(Self.jumps(later))")
    }

    /// How far the dates of chunks are off the station's clock.
    private func errors(
        _ dates: HLSDates, length: Duration = .seconds(10), rounds: Bool = false, for time: Duration
    ) -> [Duration] {
        let run = HLSRun { ($0.segmentLength, $0.dates) = (length, dates) }
        var rendition = HLSRendition(Self.programme, .packed, runs: [run], window: 6)
        rendition.roundsLengths = rounds
        let hls = VirtualHLSStation(HLSScript(rendition), of: Self.programme)
        return hls.dateErrors(hls.run(for: time), dates)
    }

    private static func jumps(_ errors: [Duration]) -> Int {
        zip(errors, errors.dropFirst()).count { ($0 - $1).magnitude > .milliseconds(50) }
    }
}

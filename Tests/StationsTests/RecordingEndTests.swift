// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import Stations
import TestSupport
import Testing

/// Recordings that end while a connection holds frames: these go by the same rules as in the middle.
struct RecordingEndTests {
    private static let programme = Broadcast([.music(.seconds(140))])
    private static let heard = HeardFrames(of: programme)

    private func expectTruth(_ outcome: VirtualStation.Outcome, _ name: String, at place: SourceLocation) {
        let findings = outcome.findings(in: Self.programme)
        #expect(findings.isEmpty, "\(name): \(findings), \(outcome)", sourceLocation: place)
        #expect(outcome.heard.stretches.isEmpty, "\(name): \(outcome)", sourceLocation: place)
    }

    @Test(
        "A54: A recording that ends just as a mirror returns has nothing twice, and nothing is called foreign",
        arguments: [0, 2, 5, 12], [32_000, 64_000, 160_000])
    func mirrorReturns(lag: Int, burst: Int) {
        for absence in [2.5, 8] {
            let dying = LiveScript(
                .stream(LiveStream(Self.programme)), absences: [.init(.seconds(30), for: .seconds(1_000), .gone)])
            let returning = LiveScript(
                .stream(LiveStream(Self.programme, burst: burst, lag: .seconds(lag))),
                absences: [.init(.zero, for: .seconds(30 + absence), .gone)])
            for length in stride(from: 30 + absence, to: 36 + absence, by: 0.3) {
                let outcome = VirtualStation(
                    hosts: ["a.test": dying, "b.test": returning], hearing: Self.heard,
                    urls: ["http://a.test/live", "http://b.test/live"]
                ).run(for: .seconds(length))
                expectTruth(outcome, "away for \(absence) s, until \(length) s", at: #_sourceLocation)
            }
        }
    }

    @Test(
        "A54: A recording that ends after a hole whose second connection broke is in order, and the gap is told",
        arguments: [0.4, 1.5, 3], [32_000, 64_000, 160_000])
    func brokenSecond(life: Double, burst: Int) {
        let script = LiveScript { visit in
            let hole: [LiveFault] = [.at(.seconds(20), .stall), .at(.seconds(27), .resumeLive)]
            return switch visit.number {
            case 0: .stream(LiveStream(Self.programme, burst: burst, faults: hole))
            case 1: .stream(LiveStream(Self.programme, burst: burst, faults: [.at(.seconds(life), .close)]))
            default: .status(403, "Forbidden")
            }
        }
        for length in stride(from: 23, to: 34, by: 0.4) {
            let outcome = VirtualStation(script, hearing: Self.heard).run(for: .seconds(length))
            expectTruth(outcome, "until \(length) s", at: #_sourceLocation)
        }
    }
}

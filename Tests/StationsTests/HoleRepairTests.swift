// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import Stations
import TestSupport
import Testing

/// Audio that a connection left out while it stayed open: what another connection brought of it is in the recording,
/// and the rest is told.
struct HoleRepairTests {
    private static let programme = Broadcast([.music(.seconds(160))])
    private static let heard = HeardFrames(of: programme)

    private func run(
        for length: Duration, tolerance: Duration = .seconds(1) / 3,
        _ answer: @escaping @Sendable (LiveScript.Visit) -> LiveScript.Answer
    ) -> VirtualStation.Outcome {
        VirtualStation(LiveScript(answer: answer), hearing: Self.heard, tolerance: tolerance).run(for: length)
    }

    /// A stream that leaves out what is on air from `start` on, for `length`.
    private static func stream(
        burst: Int = 64 * 1_024, leavingOut length: Double, from start: Double, then end: LiveFault? = nil
    ) -> LiveScript.Answer {
        let faults: [LiveFault] = [.at(.seconds(start), .stall), .at(.seconds(start + length), .resumeLive)]
        return .stream(LiveStream(programme, burst: burst, faults: faults + [end].compactMap(\.self)))
    }

    private func expectTruth(_ outcome: VirtualStation.Outcome, _ name: String, at place: SourceLocation) {
        let findings = outcome.findings(in: Self.programme)
        #expect(findings.isEmpty, "\(name): \(findings), \(outcome)", sourceLocation: place)
    }

    @Test(
        "A48: What is left out within a second of a connect is told, and a second connection is opened for it",
        arguments: [0.3, 0.6, 0.9], [4_800, 16_000, 64_000])
    func early(start: Double, burst: Int) {
        for (isFirst, isAlone) in [(true, false), (true, true), (false, false), (false, true)] {
            let outcome = run(for: .seconds(50)) { visit in
                if isAlone, visit.others > 0 { return .status(403, "Forbidden") }
                if visit.number == (isFirst ? 0 : 1) {
                    return Self.stream(burst: burst, leavingOut: 8, from: start)
                }
                return .stream(
                    LiveStream(
                        Self.programme, burst: burst,
                        faults: visit.number == 0 ? [.inFrame(after: .seconds(12), .reset)] : []))
            }
            let name = "first \(isFirst), alone \(isAlone)"
            expectTruth(outcome, name, at: #_sourceLocation)
            #expect(isAlone || outcome.snapshot.hedges > 0, "\(name): \(outcome)")
            if isAlone {
                let told = outcome.heard.gaps.compactMap(\.length).reduce(.zero, +)
                #expect(told > .seconds(7), "\(name): \(outcome)")
            }
        }
    }

    @Test(
        "A50: What a connection left out before it ended is put in if the next one has it", arguments: [0.3, 0.6, 0.9],
        [2, 6, 10])
    func thenClosed(after seconds: Double, burst: Int) {
        let outcome = run(for: .seconds(50)) { visit in
            if visit.others > 0 { return .status(403, "Forbidden") }
            guard visit.number == 0 else { return .stream(LiveStream(Self.programme, burst: 16_000 * burst)) }
            return Self.stream(leavingOut: 6, from: 20, then: .at(.seconds(26 + seconds), .close))
        }
        expectTruth(outcome, "", at: #_sourceLocation)
        #expect(outcome.heard.foreign.isEmpty, "\(outcome)")
        let told = outcome.healed.gaps.compactMap(\.length).reduce(.zero, +)
        // The burst reaches back by its length from the end of the first connection.
        #expect(told < .seconds(max(0.1, 6.3 - max(0, Double(burst) - seconds))), "\(told), \(outcome)")
    }

    @Test(
        "A54: A hole that the recording's last frames follow is told and filled, if a second connection had its audio",
        arguments: [26.1, 26.15, 26.2, 26.3, 27])
    func atTheEnd(end: Double) {
        let outcome = run(for: .seconds(end)) { visit in
            guard visit.number > 0 else { return Self.stream(leavingOut: 6, from: 20) }
            return .stream(LiveStream(Self.programme, burst: 8_000))
        }
        expectTruth(outcome, "", at: #_sourceLocation)
        #expect(outcome.healed.gaps.compactMap(\.length).reduce(.zero, +) < .seconds(2), "\(outcome)")
        #expect(!outcome.heard.gaps.isEmpty, "\(outcome)")
    }

    @Test(
        "A50: A hole right at the end of a connection is a gap of unknown length, if no backlog shows late audio",
        arguments: [26.1, 26.15], [nil, .resumeLive, .resumeAt(2)] as [LiveFault.Effect?])
    func rightAtTheEnd(end: Double, effect: LiveFault.Effect?) {
        let isCut = effect == nil
        let outcome = run(for: .seconds(isCut ? 60 : end)) { visit in
            if visit.others > 0 || visit.number > 0 && visit.time < .seconds(40) { return .status(403, "Forbidden") }
            guard visit.number == 0 else { return .stream(LiveStream(Self.programme, burst: 0)) }
            let faults: [LiveFault] = [.at(.seconds(20), .stall), .at(.seconds(26), effect ?? .resumeLive)]
            return .stream(LiveStream(Self.programme, faults: faults + (isCut ? [.at(.seconds(end), .close)] : [])))
        }
        expectTruth(outcome, "", at: #_sourceLocation)
        let lengths = outcome.heard.gaps.map(\.length)
        #expect(lengths == Array(repeating: nil, count: isCut ? 2 : effect == .resumeLive ? 1 : 0), "\(outcome)")
    }

    @Test(
        "A47: What a second connection brought into a hole is put in, also if that one breaks as the first one returns",
        arguments: [0.75, 1, 1.7, 3])
    func brokenSecond(life: Double) {
        for silence in [2.6, 3, 3.5] {
            let script = LiveScript { visit in
                guard visit.number > 0 else { return Self.stream(leavingOut: silence, from: 20) }
                return .stream(LiveStream(Self.programme, faults: [.at(.seconds(life), .close)]))
            }
            let station = VirtualStation(script, hearing: Self.heard)
            // The first connection is back before the second one delivers.
            (station.origin.connectLatency, station.origin.answerLatency) = (.milliseconds(700), .milliseconds(700))
            let outcome = station.run(for: .seconds(50))
            expectTruth(outcome, "\(silence) s", at: #_sourceLocation)
            #expect(outcome.isRecordedWhole, "\(silence) s: \(outcome)")
        }
    }

    @Test(
        "A47: What a second connection brought of the end of a hole is put in, also if it breaks soon after the hole",
        arguments: [0.5, 0.9, 2.5], [0, 8_000])
    func brokenAfterHole(life: Double, burst: Int) {
        for silence in [4.0, 7, 9] {
            let outcome = run(for: .seconds(60)) { visit in
                switch visit.number {
                case 0: return Self.stream(leavingOut: silence, from: 20)
                case 1:
                    let end = Duration.seconds(20 + silence + life) - visit.time
                    return .stream(LiveStream(Self.programme, burst: burst, faults: [.at(end, .close)]))
                default: return .status(403, "Forbidden")
                }
            }
            expectTruth(outcome, "\(silence) s", at: #_sourceLocation)
            // The second connection was opened within three seconds.
            let rest = outcome.healed.gaps.compactMap(\.length).reduce(.zero, +)
            #expect(rest < .seconds(3), "\(silence) s: \(rest), \(outcome)")
        }
    }

    @Test("A47: What second connections brought one after the other is kept if the first one never returns")
    func brokenSeconds() {
        let outcome = run(for: .seconds(60)) { visit in
            let faults: [LiveFault] =
                switch visit.number {
                case 0: [.at(.seconds(20), .stall)]
                case 1, 2: [.at(.seconds(1), .close)]
                default: []
                }
            return .stream(LiveStream(Self.programme, burst: visit.number == 0 ? 64_000 : 0, faults: faults))
        }
        expectTruth(outcome, "", at: #_sourceLocation)
        #expect(outcome.heard.gaps.count == 3, "\(outcome)")
    }

    @Test(
        "A51: Silences of little more than two seconds are counted from the last arrival, though bytes are gathered",
        arguments: [2.1, 2.3, 2.6, 3, 3.5], [0, 0.2, 0.4, 0.6, 0.8])
    func gathered(silence: Double, phase: Double) {
        for isAlone in [false, true] {
            let outcome = run(for: .seconds(40), tolerance: .seconds(5) / 6) { visit in
                if isAlone, visit.others > 0 { return .status(403, "Forbidden") }
                let isFirst = visit.number == 0
                return isFirst
                    ? Self.stream(leavingOut: silence, from: 20 + phase) : .stream(LiveStream(Self.programme))
            }
            expectTruth(outcome, "alone \(isAlone)", at: #_sourceLocation)
            #expect(outcome.log.accepts.count == 2 || silence < 2.2, "\(outcome)")
        }
    }

    @Test(
        "A52: The last frame before a silence is kept if it is whole when another connection takes over",
        arguments: [0, 4_800, 64_000])
    func lastFrame(burst: Int) {
        let outcome = run(for: .seconds(90)) { visit in
            var stream = LiveStream(
                Self.programme, burst: visit.number == 0 ? 64_000 : burst, faults: [.at(.seconds(9), .stall)], block: 1)
            stream.burstBeginsWithFrame = true
            return .stream(stream)
        }
        expectTruth(outcome, "", at: #_sourceLocation)
        #expect(outcome.snapshot.reconnects >= 4, "\(outcome)")
    }

    @Test(
        "A64: Each of four holes of three seconds is told or filled", arguments: [4.5, 6, 9, 15], [false, true])
    func four(apart: Double, isAlone: Bool) {
        let faults = (0..<4).flatMap { number -> [LiveFault] in
            let start = 20 + apart * Double(number)
            return [.at(.seconds(start), .stall), .at(.seconds(start + 3), .resumeLive)]
        }
        let outcome = run(for: .seconds(100)) { visit in
            if isAlone, visit.others > 0 { return .status(403, "Forbidden") }
            return .stream(LiveStream(Self.programme, faults: visit.number == 0 ? faults : []))
        }
        expectTruth(outcome, "", at: #_sourceLocation)
        if isAlone { #expect(outcome.heard.gaps.count == 4, "\(outcome)") }
    }
}

// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import Stations
import TestSupport
import Testing

/// Mirrors whose edges are ahead or behind: what their frames prove is told, and what they do not prove is unknown.
struct MirrorLagTests {
    private static let programme = Broadcast([.music(.seconds(200))])
    private static let heard = HeardFrames(of: programme)
    private static let urls = ["http://a.test/live", "http://b.test/live"]

    private func run(
        _ a: LiveScript, _ b: LiveScript, for length: Duration, hearing heard: HeardFrames = heard
    ) -> VirtualStation.Outcome {
        VirtualStation(hosts: ["a.test": a, "b.test": b], hearing: heard, urls: Self.urls).run(for: length)
    }

    @Test(
        "A49: All that a mirror sends that is ahead by more than its burst is kept behind one gap",
        arguments: [6.0, 12, 25], [0, 64_000, 80_000])
    func ahead(lead: Double, burst: Int) throws {
        let dying = LiveScript(
            .stream(LiveStream(Self.programme)), absences: [.init(.seconds(20), for: .seconds(1_000), .gone)])
        let leading = LiveScript(.stream(LiveStream(Self.programme, burst: burst, lag: .seconds(-lead))))
        // The recording ends while it is decided what the mirror sends, or long after that.
        for length in [20.4, 21, 22, 23, 50] {
            let outcome = run(dying, leading, for: .seconds(length))
            let said: Comment = "\(length) s: \(outcome)"
            #expect(outcome.findings(in: Self.programme).isEmpty, "\(outcome.findings(in: Self.programme)), \(said)")
            #expect(outcome.heard.gaps.count == 1, said)
            #expect(outcome.heard.gaps.allSatisfy { $0.length != .zero }, said)
        }
    }

    private static let lag = Duration.milliseconds(5_100)

    /// The second mirror is behind. If it `isMeasured`, it plays for half a minute before the first one plays again.
    /// Then both are away, and the second one returns, with a burst of so many frames.
    private func away(for outage: Duration, burst: Int = 0, isMeasured: Bool) -> VirtualStation.Outcome {
        let end = Duration.seconds(isMeasured ? 90 : 30)
        let absence = LiveScript.Absence(end, for: .seconds(1_000), .gone)
        let a = LiveScript(
            .stream(LiveStream(Self.programme, burst: 128_000)),
            absences: isMeasured ? [.init(.seconds(30), for: .seconds(2), .gone), absence] : [absence])
        let b = LiveScript(
            absences: (isMeasured ? [.init(.seconds(60), for: .seconds(2), .gone)] : [])
                + [.init(end - .seconds(1), for: .seconds(1) + outage, .gone)]
        ) { visit in
            var stream = LiveStream(Self.programme, burst: 128_000, lag: Self.lag, block: 1)
            stream.burstBeginsWithFrame = true
            if visit.time > end {
                let edge = Self.programme.framesAired(at: .seconds(40) + visit.time - Self.lag)
                stream.burst = Self.programme.byteRange(of: edge - burst..<edge).count
            }
            return .stream(stream)
        }
        return run(a, b, for: end + outage + .seconds(20))
    }

    @Test("A58: The lag of a mirror that was measured is no part of a gap", arguments: [6.2, 7.8, 12, 20])
    func knownLag(outage: Double) throws {
        let outcome = away(for: .seconds(outage), isMeasured: true)
        #expect(outcome.findings(in: Self.programme).isEmpty, "\(outcome.findings(in: Self.programme)), \(outcome)")
        #expect(outcome.heard.gaps.count == 1 && outcome.heard.gaps.first?.length != nil, "\(outcome)")
    }

    @Test("A58: A lagging mirror whose first frames are the last ones delivered makes no gap")
    func nothingMissing() {
        let without = away(for: .seconds(4.8), isMeasured: true)
        for known in 2...16 {
            let outcome = away(for: .seconds(4.8), burst: without.report.lost.count + known, isMeasured: true)
            #expect(outcome.isWhole, "\(known) known frames: \(outcome)")
        }
    }

    @Test("A58: A gap at a mirror whose lag was never measured has no length", arguments: [7.8, 12])
    func unknownLag(outage: Double) {
        let outcome = away(for: .seconds(outage), isMeasured: false)
        #expect(outcome.findings(in: Self.programme).isEmpty, "\(outcome.findings(in: Self.programme)), \(outcome)")
        #expect(outcome.heard.gaps.map(\.length) == [nil], "\(outcome)")
    }

    /// Two mirrors take turns: the first one plays, after 30 s and `outage` the second one, which is behind by `lag`
    /// and sends no burst, and from 60 s on the first one again, whose burst reaches back.
    private func turns(outage: Double, lag: Double) -> VirtualStation.Outcome {
        let a = LiveScript(absences: [.init(.seconds(30), for: .seconds(20), .gone)]) { visit in
            .stream(LiveStream(Self.programme, burst: visit.time < .seconds(20) ? 0 : 300_000))
        }
        let b = LiveScript(absences: [
            .init(.zero, for: .seconds(30 + outage), .gone), .init(.seconds(60), for: .seconds(100), .gone),
        ]) { _ in .stream(LiveStream(Self.programme, burst: 0, lag: .seconds(lag))) }
        return run(a, b, for: .seconds(90))
    }

    @Test("A58: A gap gets its length once the lag of its mirror is measured", arguments: [4.0, 6], [0.4, 3])
    func laterLag(outage: Double, lag: Double) throws {
        let outcome = turns(outage: outage, lag: lag)
        #expect(outcome.findings(in: Self.programme).isEmpty, "\(outcome.findings(in: Self.programme)), \(outcome)")
        #expect(outcome.heard.gaps.map { $0.length == nil } == [false], "\(outcome)")
    }

    @Test("A58: A gap has a length if the address leads to the same server with another token each time")
    func token() {
        let outcome = run(
            LiveScript { .redirect(to: "http://b.test/edge?token=\($0.number)") },
            LiveScript(.stream(LiveStream(Self.programme)), absences: [.init(.seconds(20), for: .seconds(10), .gone)]),
            for: .seconds(50))
        #expect(outcome.findings(in: Self.programme).isEmpty, "\(outcome.findings(in: Self.programme)), \(outcome)")
        #expect(outcome.heard.gaps.map { $0.length == nil } == [false], "\(outcome)")
    }

    @Test("A58: What a mirror with an encoder of its own sends is kept, also if it soon ends again")
    func shortReturn() throws {
        let other = Broadcast([.music(.seconds(200))], seed: 2)
        let a = LiveScript(
            .stream(LiveStream(Self.programme, burst: 128_000)),
            absences: [.init(.seconds(20), for: .seconds(15), .gone), .init(.seconds(46), for: .seconds(100), .gone)])
        let b = LiveScript(
            .stream(LiveStream(other, burst: 64_000)),
            absences: [.init(.zero, for: .seconds(22), .gone), .init(.seconds(40), for: .seconds(6), .gone)])
        let outcome = run(a, b, for: .seconds(90))
        let last = Self.programme.frames[try #require(outcome.report.last)]
        #expect(last.start > .seconds(85), "\(outcome)")
        let mirror = run(a, b, for: .seconds(90), hearing: HeardFrames(of: other))
        // Only what neither burst reaches back to is missing: of the mirror, 2 of the 6 s for which it was away.
        #expect(outcome.report.lost.count < 465 && outcome.report.duplicated.isEmpty, "\(outcome)")
        #expect(mirror.report.lost.count < 78 && mirror.report.duplicated.isEmpty, "\(mirror)")
        #expect(other.frames[try #require(mirror.report.last)].start > .seconds(125), "\(mirror)")
    }

    @Test("A58: After a mirror that ended before it was first, a gap has no length", arguments: [0.5, 1, 2])
    func endsBeforeFirst(life: Double) {
        let a = LiveScript { visit in
            visit.number == 0 ? .silence : .stream(LiveStream(Self.programme, burst: 4_800))
        }
        let b = LiveScript { visit in
            var stream = LiveStream(
                Self.programme, burst: 4_800, faults: [.at(.seconds(life), .close)], lag: .seconds(5))
            stream.tick = .seconds(1)
            return visit.number == 0 ? .stream(stream) : .silence
        }
        let outcome = run(a, b, for: .seconds(30))
        #expect(outcome.heard.gaps.map(\.length) == [nil], "\(outcome)")
    }

    @Test("A58: Beside a silence, a mirror of unknown lag waits no longer than the silence can have hidden")
    func bothStall() {
        @Sendable func faults(_ time: Duration, _ all: [(Double, LiveFault.Effect)]) -> [LiveFault] {
            all.compactMap { .seconds($0.0) > time ? .at(.seconds($0.0) - time, $0.1) : nil }
        }
        let a = LiveScript { visit in
            .stream(
                LiveStream(
                    Self.programme, burst: 3_200,
                    faults: faults(visit.time, [(6.6, .stall), (11.6, .resumeLive), (11.7, .reset), (24.1, .reset)]),
                    lag: .seconds(2)))
        }
        let b = LiveScript { visit in
            .stream(
                LiveStream(
                    Self.programme, burst: visit.time > .seconds(18) ? 32_000 : 3_200,
                    faults: faults(
                        visit.time,
                        [(8.5, .stall), (13.5, .resumeLive), (22.2, .stall), (25.2, .resumeLive), (27.2, .reset)]),
                    lag: .seconds(2)))
        }
        let outcome = run(a, b, for: .seconds(34))
        #expect(outcome.heard.longestPause < .seconds(6.5) && outcome.heard.repeated.isEmpty, "\(outcome)")
    }

    @Test("A58: A gap between two encoders with other offsets has no length", arguments: [-5, 0, 5])
    func otherEncoder(lag: Int) {
        let other = Broadcast([.music(.seconds(200))], seed: 2)
        let a = LiveScript(
            .stream(LiveStream(Self.programme)), absences: [.init(.seconds(30), for: .seconds(30), .gone)])
        let b = LiveScript(
            .stream(LiveStream(other, lag: .seconds(lag))), absences: [.init(.seconds(61), for: .seconds(100), .gone)])
        let outcome = run(a, b, for: .seconds(90))
        #expect(outcome.heard.gaps.map(\.length) == [nil, nil], "\(outcome)")
    }
}

// SPDX-License-Identifier: MIT

import EventLoop
import EventLoopTesting
import Instants
import RadioCore
import Stations
import TestSupport
import TestTools
import Testing

/// Cuts at random bytes, after each of which the server is unavailable for a random time, in virtual time.
struct RandomCutTests {
    /// A kind of station, and how often it is cut.
    struct Plan: Sendable, CustomTestStringConvertible {
        let shape: MPEGShape
        /// The burst in KiB.
        let burst: Int
        let cuts: Int

        init(_ shape: MPEGShape, burst: Int, cuts: Int) {
            (self.shape, self.burst, self.cuts) = (shape, burst, cuts)
        }

        var testDescription: String { "\(cuts) cuts, \(shape.bitRate) kbit/s, \(burst) KiB" }

        /// The length of programme that has been on air at the start, which is enough for the burst.
        var onAir: Duration { .seconds(5 + burst * 1_024 * 8 / (shape.bitRate * 1_000)) }
    }

    private static let mono = MPEGShape(32, isMono: true)

    static let plans =
        [(mono, 0), (mono, 64), (mono, 512)].map { Plan($0, burst: $1, cuts: 112) }
        + [128, 320].flatMap { rate in [0, 64, 512].map { Plan(MPEGShape(rate), burst: $0, cuts: 112) } }

    @Test(
        "A cut at a random byte loses nothing that the burst covers, and otherwise makes one correct gap",
        arguments: plans)
    func cuts(_ plan: Plan) throws {
        let length = Duration.seconds(110)
        let programme = Broadcast([.music(plan.onAir + length + .seconds(5))], plan.shape)
        let heard = HeardFrames(of: programme)
        var (cuts, seed) = (0, UInt64(0))
        while cuts < plan.cuts {
            seed += 1
            let script = Self.script(programme, plan, length, seed: seed)
            let station = VirtualStation(script, hearing: heard, seed: seed)
            let began = station.reactor.now
            let outcome = station.run(for: length)
            let oracle = CutOracle(
                outcome.log, programme, burst: plan.burst * 1_024, onAir: plan.onAir, began: began)
            cuts += oracle.joints.count
            #expect(!oracle.joints.isEmpty)
            try Self.check(outcome, oracle, programme, "seed \(seed)")
        }
    }

    private static func check(
        _ outcome: VirtualStation.Outcome, _ oracle: CutOracle, _ programme: Broadcast, _ name: String
    ) throws {
        let report = outcome.report
        #expect(report.duplicated.isEmpty && report.foreign == 0 && report.disorders == 0, "\(name): \(outcome)")
        let holes = oracle.joints.filter { $0.overlap <= 0 }
        let gaps = outcome.heard.gaps
        guard gaps.count == holes.count
        else { throw SetupError("\(name): \(holes.count) gaps were to be expected of \(oracle.joints): \(outcome)") }
        // Two frames at either end of a hole may be torn or uncertain.
        let torn = 2
        let lost = Set(holes.flatMap { max(0, $0.cut - torn)..<$0.join + torn })
        #expect(report.lost.allSatisfy(lost.contains), "\(name): \(oracle.joints), \(outcome)")
        for (gap, hole) in zip(gaps, holes) {
            let missing = programme.frames[hole.join].start - programme.frames[hole.cut].start
            let length = gap.length ?? .seconds(-1)
            #expect(abs((length - missing).inSeconds) <= 0.2, "\(name): \(length) for \(missing) at \(hole)")
            #expect(!gap.cause.isEmpty)
        }
    }

    /// Cuts each connection at a random byte, some six seconds after it was opened. In a third of the cases the server
    /// then stays available, and otherwise it is unavailable for up to ten seconds.
    private static func script(_ programme: Broadcast, _ plan: Plan, _ length: Duration, seed: UInt64) -> LiveScript {
        var random = SplitMix64(seed: seed)
        var moments: [(time: Duration, early: Int, effect: LiveFault.Effect)] = []
        var absences: [LiveScript.Absence] = []
        var time = Duration.milliseconds(Int.random(in: 5_500..<9_000, using: &random))
        // The server is back before the end.
        while time < length - .seconds(22) {
            let outage = Duration.milliseconds(max(0, Int.random(in: -5_000..<10_000, using: &random)))
            moments.append(
                (time, .random(in: 0..<1_400, using: &random), Bool.random(using: &random) ? .close : .reset))
            // The absence lasts longer than the outage, because the cut may come a third of a second late. That is the
            // length of a block of the slowest station.
            if outage > .zero {
                absences.append(.init(time - .seconds(1), for: outage + .milliseconds(1_400), .refusing))
            }
            // A server that was unavailable for long is tried every few seconds only.
            time += outage + .milliseconds(outage > .seconds(4) ? 5_000 : 1_000)
            time += .milliseconds(Int.random(in: 5_500..<8_000, using: &random))
        }
        let (cuts, burst, onAir) = (moments, plan.burst * 1_024, plan.onAir)
        var script = LiveScript { visit in
            var stream = LiveStream(programme, burst: burst)
            if let cut = cuts.first(where: { $0.time > visit.time + .seconds(3) }) {
                let sent = programme.edge(at: onAir + cut.time) - programme.edge(at: onAir + visit.time)
                stream.faults = [.afterBytes(burst + sent - cut.early, cut.effect)]
            }
            return .stream(stream)
        }
        script.absences = absences
        script.onAir = plan.onAir
        return script
    }
}

// SPDX-License-Identifier: MIT

import EventLoop
import EventLoopTesting
import Instants
import RadioCore
import Stations
import TestSupport
import Testing

/// Stations that repeat themselves and are cut meanwhile: every turn is part of the programme, and a gap tells what is
/// missing of it.
struct LoopCutTests {
    private static let shape = MPEGShape(32, isMono: true)
    private static let bytesPerSecond = 32_000 / 8

    struct Plan: Sendable, CustomTestStringConvertible {
        let turn: Int
        let outage: Int
        var testDescription: String { "turns of \(turn) s, away for \(outage) s" }
    }

    private static let plans = [20, 50, 84, 110, 130, 300].flatMap { turn in
        [2, 10, 40].map { Plan(turn: turn, outage: $0) }
    }

    @Test(
        "A loop that is cut in its first, second or third turn is kept whole, and the gap stays", arguments: plans)
    func loops(_ plan: Plan) throws {
        // A jingle that repeats back to back is a loop.
        let lead = 30
        let programme = Broadcast(
            [.music(.seconds(lead)), .jingle(.seconds(plan.turn), times: 7 + 100 / plan.turn)], Self.shape)
        let heard = HeardFrames(of: programme)
        for (turn, burst) in [(0, 0), (0, 8), (1, 0), (1, 4), (2, 2), (2, 8)] {
            // The cut is in the last third of the turn.
            let cut = Duration.seconds(plan.turn * turn + plan.turn * 2 / 3)
            let script = LiveScript(
                .stream(LiveStream(programme, burst: burst * Self.bytesPerSecond)),
                absences: [.init(cut, for: .seconds(plan.outage), .gone)], onAir: .seconds(lead))
            let station = VirtualStation(script, hearing: heard)
            let began = station.reactor.now
            let outcome = station.run(for: cut + .seconds(plan.outage + 2 * plan.turn + 20))
            let name = "\(plan.testDescription), turn \(turn), burst \(burst) s: \(outcome)"
            let back = try #require(outcome.log.accepts.last).at - began
            let missing = max(.zero, back - cut - .seconds(burst))
            let played = Duration.samples(outcome.snapshot.position.samples, at: Self.shape.sampleRate)
            // All audio that the server sent. Audio that both connections brought counts once.
            let sent = cut + .seconds(plan.outage + 2 * plan.turn + 20) - missing + .seconds(burst)
            #expect(outcome.heard.foreign.isEmpty, "\(name)")
            // If the next turn is joined at a place that was already delivered, this looks like an edge that is 20 s
            // late. Audio before the place of the cut is dropped, and the ledger records a splice.
            if plan.turn == 20, turn == 0, plan.outage == 10 {
                let splice = try #require(outcome.heard.splices.first)
                let dropped = Duration.samples(splice.droppedFrames * 1_152, at: Self.shape.sampleRate)
                #expect(outcome.heard.splices.count == 1 && outcome.heard.gaps.isEmpty, "\(name)")
                #expect(abs((sent - played - dropped).inSeconds) <= 0.6, "played \(played) of \(sent), \(name)")
                #expect(outcome.heard.longestPause <= .seconds(20.6), "\(outcome.heard.longestPause), \(name)")
                continue
            }
            #expect(outcome.heard.gaps.count == (missing > .zero ? 1 : 0), "missing \(missing), \(name)")
            let length = outcome.heard.gaps.first?.length ?? .zero
            #expect(abs((length - missing).inSeconds) <= 0.45, "missing \(missing), \(name)")
            #expect(abs((sent - played).inSeconds) <= 0.6, "played \(played) of \(sent), \(name)")
            #expect(outcome.heard.longestPause <= back - cut + .seconds(3.5), "\(outcome.heard.longestPause), \(name)")
        }
    }

    @Test(
        "C16: A jingle that repeats after a gap inside it is kept as programme, and the gap stays", arguments: [2, 4])
    func jingle(outage: Int) throws {
        // Each turn stands for a jingle and music. The cut is two seconds into the first turn.
        let programme = Broadcast([.music(.seconds(60)), .jingle(.seconds(34), times: 3)], Self.shape)
        let script = LiveScript(
            .stream(LiveStream(programme, burst: 0)), absences: [.init(.seconds(22), for: .seconds(outage), .gone)],
            onAir: .seconds(40))
        let outcome = VirtualStation(script, hearing: HeardFrames(of: programme)).run(for: .seconds(80))
        let gap = try #require(outcome.heard.gaps.first)
        #expect(outcome.heard.gaps.count == 1 && outcome.heard.stretches.isEmpty, "\(outcome)")
        let played = Duration.samples(outcome.snapshot.position.samples, at: Self.shape.sampleRate)
        let length = try #require(gap.length)
        #expect(abs((.seconds(80) - length - played).inSeconds) < 0.3, "\(played), \(outcome)")
        #expect(abs(length.inSeconds - Double(outage)) < 0.5, "\(gap)")
    }

    @Test(
        "A file that the automation restarts during an outage or a silence is kept as programme",
        arguments: [(40, 1), (53, 1), (90, 1), (53, 1.1), (90, 1.2)], [false, true])
    func restart(back: (seconds: Int, speed: Double), isSilent: Bool) throws {
        let seconds = back.seconds
        let programme = Broadcast([.music(.seconds(300))])
        var before = LiveScript { visit in
            var stream = LiveStream(programme)
            if visit.number > 0 { (stream.lag, stream.speed) = (.seconds(seconds), (back.speed, nil)) }
            if visit.number == 0, isSilent { stream.faults = [.at(.seconds(seconds + 20), .stall)] }
            return .stream(stream)
        }
        before.onAir = .seconds(10)
        if !isSilent { before.absences = [.init(.seconds(seconds + 20), for: .seconds(3), .gone)] }
        let outcome = VirtualStation(before, hearing: HeardFrames(of: programme)).run(for: .seconds(seconds + 100))
        // A silent connection has ten seconds to come back.
        #expect(outcome.heard.longestPause <= .seconds(isSilent ? 10.5 : 8), "\(outcome.heard.longestPause)")
        let gap = try #require(outcome.heard.gaps.first)
        #expect(gap.repeats != nil && outcome.heard.foreign.isEmpty && outcome.heard.gaps.count == 1, "\(outcome)")
    }

    @Test(
        "C17: A change to a mirror with another encoder leaves out none of its frames, and the gap says what may be double"
    )
    func ownEncoders() throws {
        let programme = Broadcast([.music(.seconds(120))])
        let other = Broadcast([.music(.seconds(120))], seed: 2)
        let urls = ["http://one.test/live", "http://two.test/live"]
        for burst in [8, 64, 128] {
            let dying = LiveScript(
                .stream(LiveStream(programme)), absences: [.init(.seconds(20), for: .seconds(1_000), .gone)])
            let hosts = ["one.test": dying, "two.test": LiveScript(.stream(LiveStream(other, burst: burst * 1_024)))]
            // The same run is made twice. The delivered frames are compared with one programme, and then with the
            // other.
            let outcomes = [programme, other].map { heard in
                VirtualStation(hosts: hosts, hearing: HeardFrames(of: heard), urls: urls).run(for: .seconds(60))
            }
            let gap = try #require(outcomes[0].heard.gaps.first)
            #expect(outcomes[0].heard.gaps.count == 1, "\(outcomes)")
            #expect(outcomes.allSatisfy { $0.report.lost.isEmpty && $0.report.duplicated.isEmpty }, "\(outcomes)")
            let last = programme.frames[try #require(outcomes[0].report.last)]
            let first = other.frames[try #require(outcomes[1].report.first)]
            let missing = first.start - (last.start + last.length)
            let told = (gap.length ?? .zero) - gap.overlap
            #expect(abs((missing - told).inSeconds) <= 0.2, "burst \(burst): \(missing) missing, \(gap)")
            // A burst of 128 KiB is 8 s long, and began to be sent within two seconds of the cut.
            if burst == 128 { #expect(gap.overlap > .seconds(5), "\(gap)") }
        }
    }

    @Test("A burst that grows from one second to sixty repeats no frame")
    func growingBurst() {
        let programme = Broadcast([.music(.seconds(200))])
        var script = LiveScript { visit in
            var stream = LiveStream(programme, burst: visit.number == 0 ? 16_000 : 960_000)
            if visit.number == 0 { stream.faults = [.inFrame(after: .seconds(6), .reset)] }
            return .stream(stream)
        }
        script.onAir = .seconds(70)
        let outcome = VirtualStation(script, hearing: HeardFrames(of: programme)).run(for: .seconds(60))
        #expect(outcome.isWhole && outcome.heard.foreign.isEmpty, "\(outcome)")
    }
}

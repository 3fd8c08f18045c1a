// SPDX-License-Identifier: MIT

import EventLoop
import EventLoopTesting
import Instants
import RadioCore
import Stations
import TestSupport
import Testing

/// What is told of gaps: what frames prove, and nothing else.
struct GapProofTests {
    @Test(
        "A60: A connection that goes on with the next page or frame makes no gap; otherwise the gap has its length",
        arguments: [ReferenceProgramme.Encoding.opus(96), .vorbis(128), .flac, .nativeFLAC])
    func numbered(_ encoding: ReferenceProgramme.Encoding) async throws {
        let (sampleRate, channels) =
            switch encoding {
            case .opus: (48_000, 2)
            // A low rate and one channel, because FLAC takes many bytes.
            case .flac, .nativeFLAC: (22_050, 1)
            default: (44_100, 2)
            }
        let programme = try await Broadcast(
            ReferenceProgramme.make(.init(encoding, sampleRate: sampleRate, channels: channels, seconds: 70)))
        for milliseconds in stride(from: 10_000, to: 10_400, by: 45) {
            let script = LiveScript { visit in
                let faults: [LiveFault] = [.at(.milliseconds(milliseconds), .close)]
                return .stream(
                    LiveStream(
                        programme, burst: visit.number == 0 ? 64_000 : 0, faults: visit.number < 3 ? faults : []))
            }
            let outcome = VirtualStation(script, hearing: HeardFrames(of: programme)).run(for: .seconds(28))
            let said: Comment = "\(milliseconds) ms: \(outcome)"
            #expect(outcome.report.duplicated.isEmpty && outcome.report.disorders == 0, said)
            let missing = outcome.report.lost.reduce(Duration.zero) { $0 + programme.frames[$1].length }
            #expect(outcome.heard.gaps.isEmpty == outcome.report.lost.isEmpty, said)
            #expect(outcome.heard.gaps.allSatisfy { $0.length != nil }, said)
            let told = outcome.heard.gaps.compactMap(\.length).reduce(.zero, +)
            #expect(abs((told - missing).inSeconds) <= 0.05, "\(told) for \(missing), \(said)")
        }
    }

    private static let programme = Broadcast([.music(.seconds(140))])

    @Test(
        "A61: Where a station sends in lumps of a second, a gap has its true length, or none",
        arguments: [2.3, 3.7, 5.1, 8.4, 14], [0, 16_000, 32_000])
    func lumps(outage: Double, burst: Int) throws {
        let heard = HeardFrames(of: Self.programme)
        for cut in [20.1, 20.5, 20.9] {
            var stream = LiveStream(Self.programme, burst: burst, block: 1)
            stream.tick = .seconds(1)
            let script = LiveScript(.stream(stream), absences: [.init(.seconds(cut), for: .seconds(outage), .gone)])
            let outcome = VirtualStation(script, hearing: heard).run(for: .seconds(60))
            let findings = outcome.findings(in: Self.programme)
            #expect(findings.isEmpty, "cut at \(cut) s: \(findings), \(outcome)")
        }
    }

    /// What each connection brings: frames that were delivered, and then new ones.
    struct Few: Sendable, CustomTestStringConvertible {
        let (known, new): (Int, Int)
        var testDescription: String { "\(known) known and \(new) new" }

        static let all = [(2, 1), (2, 5), (3, 3), (4, 3), (5, 2), (6, 1)].map { Few(known: $0, new: $1) }
        private init(known: Int, new: Int) { (self.known, self.new) = (known, new) }
    }

    @Test("A62: Twelve connections of two to seven frames that continue each other make no gap", arguments: Few.all)
    func few(_ few: Few) throws {
        let programme = SampleProgramme(300)
        let station = VirtualStation.byHand()
        let first = try station.connection(0)
        first.bring(programme.frames(0..<100))
        station.reactor.advance(by: .seconds(1))
        first.end()
        var end = 100
        for number in 1...12 {
            while station.origin.byHand.count <= number { station.reactor.advance(by: .milliseconds(10)) }
            try station.connection(number).bring(programme.frames(end - few.known..<end + few.new), ends: true)
            end += few.new
            station.reactor.advance(by: .milliseconds(26 * few.new))
        }
        station.reactor.advance(by: .seconds(1))
        let isWhole = station.heard.audio == programme.frames(0..<end)
        #expect(isWhole, "\(station.heard.audio.count / 417) frames of \(end)")
        #expect(station.heard.gaps.isEmpty, "\(station.heard.gaps)")
    }

    @Test(
        "A63: What is missing within digital silence is told, also if it is only about a second",
        arguments: [44_100, 48_000], [2.6, 3, 3.3, 4.4])
    func silence(sampleRate: Int, outage: Double) throws {
        let programme = Broadcast(
            [.music(.seconds(50)), .silence(.seconds(60)), .music(.seconds(60))],
            MPEGShape(128, sampleRate: sampleRate))
        let heard = HeardFrames(of: programme)
        for cut in [20.0, 30.3, 41.7] {
            let script = LiveScript(
                .stream(LiveStream(programme, burst: 32_000)),
                absences: [.init(.seconds(cut), for: .seconds(outage), .gone)])
            let outcome = VirtualStation(script, hearing: heard).run(for: .seconds(90))
            let said: Comment = "cut at \(cut) s: \(outcome)"
            let missing = Duration.samples(
                Int64(outcome.report.lost.count - outcome.report.duplicated.count) * 1_152, at: sampleRate)
            #expect(missing > .seconds(outage - 2.2) && outcome.heard.gaps.count == 1, said)
            let told = outcome.heard.gaps.compactMap(\.length)
            #expect(told.allSatisfy { abs(($0 - missing).inSeconds) <= 0.1 }, "\(missing) missing, \(said)")
        }
    }
}

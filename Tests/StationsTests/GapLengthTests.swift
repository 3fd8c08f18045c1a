// SPDX-License-Identifier: MIT

import EventLoop
import EventLoopTesting
import Instants
import RadioCore
import RadioFormats
import Stations
import TestSupport
import TestTools
import Testing

/// How long gaps are said to be: by the time of arrivals, whatever the mirrors' lags, and by the numbers that Ogg and
/// FLAC state. In virtual time.
struct GapLengthTests {
    private static let mp3 = Broadcast([.music(.seconds(200))], MPEGShape(128), seed: 12)
    private static let heavy = Broadcast([.music(.seconds(120))], MPEGShape(320), seed: 13)

    private func missing(_ outcome: VirtualStation.Outcome, of programme: Broadcast) -> Duration {
        outcome.report.lost.reduce(Duration.zero) { $0 + programme.frames[$1].length }
    }

    @Test("A65: The length of a gap follows later arrivals, which are less late than the first ones")
    func followsArrivals() throws {
        // A second of audio is more than is read at once, so that most reads end before the newest frame.
        for milliseconds in stride(from: 6_100, through: 6_900, by: 200) {
            let back = Duration.seconds(15) + .milliseconds(milliseconds)
            let script = LiveScript { visit in
                if visit.others > 0 { return .status(403, "Forbidden") }
                var stream = LiveStream(Self.heavy, faults: [.at(.seconds(15), .stall), .at(back, .resumeLive)])
                (stream.tick, stream.block) = (.seconds(1), 1)
                return .stream(stream)
            }
            let station = VirtualStation(
                script, hearing: HeardFrames(of: Self.heavy), tolerance: .seconds(5) / 6)
            let outcome = station.run(for: .seconds(45))
            let gap = try #require(outcome.heard.gaps.first, "\(outcome)")
            let error = try #require(gap.length) - missing(outcome, of: Self.heavy)
            #expect(outcome.heard.gaps.count == 1 && abs(error.inSeconds) < 0.03, "\(milliseconds) ms: \(error)")
        }
    }

    @Test("A65: A mirror that lags and is only held up makes no gap, although the first connection was too short")
    func lagAfterShortConnection() {
        let hosts = [
            "a.test": LiveScript { visit in
                visit.number > 0 ? .status(503) : .stream(LiveStream(Self.mp3, faults: [.at(.seconds(0.8), .close)]))
            },
            "b.test": LiveScript { _ in
                .stream(
                    LiveStream(
                        Self.mp3, burst: 160_000,
                        faults: [.at(.seconds(12), .stall), .at(.seconds(14.5), .resumeAt(4))], lag: .seconds(5)))
            },
        ]
        let station = VirtualStation(
            hosts: hosts, hearing: HeardFrames(of: Self.mp3), urls: ["http://a.test/live", "http://b.test/live"])
        let outcome = station.run(for: .seconds(30))
        #expect(outcome.isWhole && !outcome.heard.splices.isEmpty, "\(outcome)")
    }

    @Test("A65: A hole of a mirror that lags keeps its length if a mirror without a lag goes on before it is told")
    func holeBeforeChange() throws {
        let hosts = [
            "a.test": LiveScript { visit in
                switch visit.number {
                case 0: .stream(LiveStream(Self.mp3, faults: [.at(.seconds(8), .close)]))
                case 1: .status(503)
                // Its burst does not reach back to what the other one has sent.
                default: .stream(LiveStream(Self.mp3, burst: 4_800))
                }
            },
            "b.test": LiveScript { visit in
                let faults: [LiveFault] = [
                    .at(.seconds(12), .stall), .at(.seconds(18), .resumeLive), .at(.seconds(20), .close),
                ]
                return visit.number > 0
                    ? .status(503) : .stream(LiveStream(Self.mp3, faults: faults, lag: .seconds(2)))
            },
        ]
        let station = VirtualStation(
            hosts: hosts, hearing: HeardFrames(of: Self.mp3), urls: ["http://a.test/live", "http://b.test/live"],
            tolerance: .seconds(5) / 6)
        let outcome = station.run(for: .seconds(45))
        let gap = try #require(outcome.heard.gaps.first, "\(outcome)")
        let error = try #require(gap.length) - missing(outcome, of: Self.mp3)
        #expect(outcome.heard.gaps.count == 1 && abs(error.inSeconds) < 0.06, "\(error): \(outcome)")
    }

    @Test("A65: A hole of a mirror among frames that the other one has delivered makes no gap")
    func holeInDelivered() {
        let hosts = [
            "a.test": LiveScript { visit in
                visit.number > 0 ? .status(503) : .stream(LiveStream(Self.mp3, faults: [.at(.seconds(20), .stall)]))
            },
            "b.test": LiveScript { _ in
                let faults: [LiveFault] = [.at(.seconds(3), .stall), .at(.seconds(5.5), .resumeLive)]
                return .stream(LiveStream(Self.mp3, burst: 80_000, faults: faults, lag: .seconds(12)))
            },
        ]
        let station = VirtualStation(
            hosts: hosts, hearing: HeardFrames(of: Self.mp3), urls: ["http://a.test/live", "http://b.test/live"],
            tolerance: .seconds(5) / 6)
        let outcome = station.run(for: .seconds(70))
        #expect(outcome.isWhole && !outcome.heard.splices.isEmpty, "\(outcome)")
    }

    // MARK: Stated places

    private static let encodings: [ReferenceProgramme.Encoding] = [.opus(96), .vorbis(128), .flac, .nativeFLAC]

    /// The first server closes its connection after ten seconds. The second one is late, and begins with the audio that
    /// was on air `later` than that end.
    private func run(_ encoding: ReferenceProgramme.Encoding, later: Duration) throws -> VirtualStation.Outcome {
        let sampleRate = if case .opus = encoding { 48_000 } else { 44_100 }
        let programme = try Broadcast(
            ReferenceProgramme(.init(encoding, sampleRate: sampleRate, channels: 2, seconds: 90)))
        let end = Watched(Duration.zero)
        let hosts = [
            "a.test": LiveScript { visit in
                if visit.number == 0 { end.change { $0 = visit.time + .seconds(10) } }
                var stream = LiveStream(programme, faults: [.at(.seconds(10.2), .close)])
                (stream.tick, stream.block, stream.burstBeginsWithFrame) = (.seconds(1), 1, true)
                return visit.number > 0 ? .status(503) : .stream(stream)
            },
            "b.test": LiveScript { visit in
                var stream = LiveStream(programme, burst: 0, lag: visit.time - end.value - later)
                (stream.tick, stream.block, stream.burstBeginsWithFrame) = (.milliseconds(200), 1, true)
                return .stream(stream)
            },
        ]
        let station = VirtualStation(
            hosts: hosts, hearing: HeardFrames(of: programme), urls: ["http://a.test/live", "http://b.test/live"])
        let outcome = station.run(for: .seconds(35))
        let lost = missing(outcome, of: programme)
        let frame = programme.frames.map(\.length).max() ?? .zero
        let said = outcome.heard.gaps.reduce(Duration.zero as Duration?) { sum, gap in
            sum.flatMap { sum in gap.length.map { sum + $0 } }
        }
        #expect(
            said.map { abs(($0 - lost).inSeconds) <= (encoding == .vorbis(128) ? frame.inSeconds : 0.001) } ?? false,
            "\(lost): \(outcome)")
        return outcome
    }

    @Test(
        "A60: A connection that begins exactly behind the tail continues it, as the numbers of Ogg and FLAC prove",
        arguments: encodings)
    func exactContinuation(_ encoding: ReferenceProgramme.Encoding) throws {
        let outcome = try run(encoding, later: .zero)
        #expect(outcome.isWhole && outcome.heard.splices.map(\.method) == [.position], "\(outcome)")
    }

    @Test(
        "A60: The numbers of Ogg and FLAC tell how long a gap is, although the mirror's lag is unknown",
        arguments: encodings)
    func statedLength(_ encoding: ReferenceProgramme.Encoding) throws {
        let outcome = try run(encoding, later: .seconds(3))
        #expect(outcome.heard.gaps.count == 1 && outcome.report.duplicated.isEmpty, "\(outcome)")
    }
}

// SPDX-License-Identifier: MIT

import EventLoop
import EventLoopTesting
import Instants
import RadioCore
import Stations
import TestSupport
import Testing

/// Connections after a gap that repeat audio from before it, and break before they reach the end of that audio.
struct ReplayTests {
    private static let programme = Broadcast([.music(.seconds(160))])
    private static let heard = HeardFrames(of: programme)
    private static let advert = Broadcast([.music(.seconds(10))], seed: 5)

    /// How far the server's edge is behind. It is so far that nothing the server sends after the advert is new.
    private static let lag = Duration.seconds(30)

    /// The first connection is cut after 22 s. The second one brings an advert of 10 s (the first gap), then 8 s of
    /// audio that was delivered half a minute before, and breaks. The server is unavailable then.
    private func run(catchUp: Duration, gone: Duration) -> (VirtualStation.Outcome, start: WallInstant) {
        var script = LiveScript { visit in
            var stream = LiveStream(Self.programme)
            switch visit.number {
            case 0: stream.faults = [.inFrame(after: .seconds(22), .reset)]
            case 1:
                stream.lag = Self.lag
                stream.advert = .init(Self.advert, catchUp: catchUp)
                stream.faults = [.inFrame(after: .seconds(18), .reset)]
            default: break
            }
            return .stream(stream)
        }
        script.absences = [.init(.seconds(39), for: gone, .refusing)]
        let station = VirtualStation(script, hearing: Self.heard)
        let start = station.reactor.wallNow
        return (station.run(for: .seconds(90)), start)
    }

    /// After the advert, the programme resumes at its own pace, or all that aired during the advert arrives at once.
    private static let catchUps = [Self.advert.length * -1, .zero]

    @Test("The gap after a replay begins where the audio broke off, not where the replay began", arguments: catchUps)
    func gap(catchUp: Duration) throws {
        let (outcome, start) = run(catchUp: catchUp, gone: .seconds(20))
        #expect(outcome.heard.gaps.count == 2, "\(outcome)")
        let gap = try #require(outcome.heard.gaps.last)
        #expect(abs((gap.at - start).inSeconds - 40) < 0.2, "\(gap)")
        // The first frame of the burst was on air four seconds before the server was back.
        let length = try #require(gap.length)
        #expect(outcome.log.accepts.count == 3, "\(outcome)")
        let again = try #require(outcome.log.accepts.last).at - MonotonicInstant(nanoseconds: 1_000_000_000)
        #expect(abs((gap.at - start + length).inSeconds - (again.inSeconds - 4.1)) < 0.2, "\(gap), back at \(again)")
    }

    @Test(
        "The gap at the end of a station begins where the audio broke off, not where the replay began",
        arguments: catchUps)
    func lastGap(catchUp: Duration) throws {
        let (outcome, start) = run(catchUp: catchUp, gone: .seconds(1_000))
        #expect(outcome.heard.gaps.count == 2, "\(outcome)")
        let gap = try #require(outcome.heard.gaps.last)
        #expect(abs((gap.at - start).inSeconds - 40) < 0.2, "\(gap)")
        #expect(try abs(#require(gap.length).inSeconds - 50) < 0.2, "\(gap)")
    }
}

// SPDX-License-Identifier: MIT

import EventLoop
import EventLoopTesting
import Instants
import RadioCore
import Stations
import TestSupport
import Testing

/// The dates of frames behind a gap.
struct GapDateTests {
    @Test(
        "A59: Frames behind a gap of unknown length have their right dates at once", arguments: [5, 15, 40],
        [16_000, 64_000])
    func unknownLength(absence: Int, burst: Int) throws {
        let programme = Broadcast([.music(.seconds(140))])
        let dying = LiveScript(
            .stream(LiveStream(programme)), absences: [.init(.seconds(20), for: .seconds(1_000), .gone)])
        // The mirror was never heard before, so nobody knows how far it is behind.
        let mirror = LiveScript(
            .stream(LiveStream(programme, burst: burst)),
            absences: [.init(.zero, for: .seconds(20 + absence), .gone)])
        let station = VirtualStation(
            hosts: ["a.test": dying, "b.test": mirror], hearing: HeardFrames(of: programme),
            urls: ["http://a.test/live", "http://b.test/live"])
        let reactor = station.reactor
        let began = reactor.wallNow
        // The date of the first frame of each chunk as soon as it is delivered, and what it is at the end.
        var dates: [(frame: Int64, sample: Int64, date: WallInstant)] = []
        station.sink.meddle = { [unowned station] event in
            guard case .chunk(let chunk) = event, let map = station.heard.airTimes.last else { return }
            dates.append((chunk.position.frames, chunk.position.samples, map.instant(ofSample: chunk.position.samples)))
        }
        let outcome = station.run(for: .seconds(20 + absence + 25))
        station.sink.meddle = nil
        #expect(outcome.heard.gaps.count == 1 && outcome.heard.gaps.first?.length == nil, "\(outcome)")
        let behind = Int64(try #require(outcome.heard.framesBeforeGaps.first))
        for (frame, _, date) in dates where frame >= behind {
            let place = try #require(outcome.report.places[Int(frame)])
            // The programme was 40 s old when the station began.
            let aired = began + (programme.frames[place].start + programme.frames[place].length - .seconds(40))
            #expect(abs((date - aired).inSeconds) < 0.15, "\((date - aired).inSeconds) s at frame \(frame)")
        }
    }
}

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
        try expectDates(
            behindGapOf: programme, until: .seconds(20 + absence + 25), hosts: ["a.test": dying, "b.test": mirror])
    }

    @Test("A59: Frames behind a hole of unknown length have their right dates at once")
    func unknownHole() throws {
        let programme = Broadcast([.music(.seconds(140))])
        // The first server leaves four seconds out and fails soon, so that its pace shows no length.
        let holed = LiveScript { visit in
            guard visit.number == 0 else { return .status(503, "Unavailable") }
            return .stream(
                LiveStream(
                    programme,
                    faults: [.at(.seconds(20), .stall), .at(.seconds(24), .resumeLive), .at(.seconds(24.05), .reset)]))
        }
        let mirror = LiveScript(.stream(LiveStream(programme, burst: 8_000)))
        try expectDates(behindGapOf: programme, until: .seconds(60), hosts: ["a.test": holed, "b.test": mirror])
    }

    @Test(
        "A59: A song that begins right behind a hole waits until its time and the song that lacks audio are known",
        arguments: [0.6, 2])
    func cutBehindHole(after seconds: Double) throws {
        var programme = Broadcast([.music(.seconds(140))])
        for (title, at) in [("first", 0.0), ("holed", 50), ("whole", 64 + seconds), ("last", 75)] {
            programme = programme.title(title, from: programme.framesAired(at: .seconds(at)))
        }
        let stream = LiveStream(
            programme, burst: 4_000, interval: 1_024,
            faults: [.at(.seconds(20), .stall), .at(.seconds(24), .resumeLive)])
        let script = LiveScript { $0.number == 0 ? .stream(stream) : .status(503, "Unavailable") }
        let station = VirtualStation(script, hearing: HeardFrames(of: programme))
        let reactor = station.reactor
        let began = reactor.wallNow
        var planner = SegmentPlanner(policy: .title, zone: FixedZone.utc)
        var (plans, ends) = ([SegmentPlan](), [Bool]())
        station.sink.meddle = { event in
            for action in planner.receive(event, now: reactor.wallNow) {
                if case .open(let plan) = action { plans.append(plan) }
                if case .close(_, let isComplete) = action { ends.append(isComplete) }
            }
        }
        let outcome = station.run(for: .seconds(40))
        station.sink.meddle = nil
        #expect(outcome.heard.gaps.count == 1 && ends == [false, false, true, false], "\(ends), \(outcome)")
        let plan = try #require(plans.first { $0.title == "whole" })
        let late = (plan.airTime - began).inSeconds - 24 - seconds
        #expect(abs(late) < 0.3, "\(late)")
    }

    /// Expects that the frames behind the only gap are dated right as soon as they are delivered.
    private func expectDates(
        behindGapOf programme: Broadcast, until end: Duration, hosts: [String: LiveScript]
    ) throws {
        let station = VirtualStation(
            hosts: hosts, hearing: HeardFrames(of: programme),
            urls: ["http://a.test/live", "http://b.test/live"])
        let reactor = station.reactor
        let began = reactor.wallNow
        // The date of the first frame of each chunk as soon as it is delivered, and what it is at the end.
        var dates: [(frame: Int64, sample: Int64, date: WallInstant)] = []
        station.sink.meddle = { [unowned station] event in
            guard case .chunk(let chunk) = event, let map = station.heard.airTimes.last else { return }
            dates.append((chunk.position.frames, chunk.position.samples, map.instant(ofSample: chunk.position.samples)))
        }
        let outcome = station.run(for: end)
        station.sink.meddle = nil
        #expect(outcome.heard.gaps.count == 1 && outcome.heard.gaps.first?.length == nil, "\(outcome)")
        // Frames that arrive before the next connection are delivered before anyone knows of a hole.
        let gap = Int64(try #require(outcome.heard.framesBeforeGaps.first))
        let behind = outcome.heard.splices.first?.position.frames ?? gap
        for (frame, _, date) in dates where frame >= behind {
            let place = try #require(outcome.report.places[Int(frame)])
            // The programme was 40 s old when the station began.
            let aired = began + (programme.frames[place].start + programme.frames[place].length - .seconds(40))
            #expect(abs((date - aired).inSeconds) < 0.15, "\((date - aired).inSeconds) s at frame \(frame)")
        }
    }
}

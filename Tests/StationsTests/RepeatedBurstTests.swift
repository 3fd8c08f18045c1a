// SPDX-License-Identifier: MIT

import EventLoop
import EventLoopTesting
import Instants
import RadioCore
import Stations
import TestSupport
import Testing

/// An address that sends what was delivered before, in bursts that are very long, very short, or not quite the same.
struct RepeatedBurstTests {
    @Test("A53: A burst that plays for four minutes is delivered once, however often the connection is cut")
    func longBurst() {
        let programme = Broadcast([.music(.seconds(400))], MPEGShape(16, sampleRate: 22_050, isMono: true))
        let stream = LiveStream(programme, burst: 512 * 1_024, faults: [.inFrame(after: .seconds(9), .reset)])
        let script = LiveScript(.stream(stream), onAir: .seconds(300))
        let outcome = VirtualStation(script, hearing: HeardFrames(of: programme)).run(for: .seconds(70))
        #expect(outcome.isWhole && outcome.heard.stretches.isEmpty, "\(outcome)")
        #expect(outcome.snapshot.reconnects >= 7, "\(outcome)")
        let length = Duration.samples(Int64(outcome.report.places.count * 576), at: 22_050)
        #expect(length > .seconds(262 + 69), "\(length)")
    }

    @Test(
        "A55: A frozen source that greets with a few known frames at each reconnect repeats none, and makes one gap",
        arguments: 1...7, [false, true])
    func fewFrames(count: Int, closes: Bool) throws {
        // Too few headers make no frame before their connection ends.
        if count < 3, !closes { return }
        let programme = SampleProgramme(260)
        let station = VirtualStation.byHand()
        try station.connection(0).bring(programme.frames(0..<200), ends: true)
        var greeted = 1
        while greeted <= 10 {
            station.reactor.advance(by: .milliseconds(500))
            for connection in station.origin.byHand[greeted...] {
                connection.bring(programme.frames(200 - count..<200), ends: closes)
            }
            greeted = station.origin.byHand.count
            try #require(station.reactor.now - MonotonicInstant(nanoseconds: 0) < .seconds(600))
        }
        #expect(station.heard.frames == 200 && station.heard.gaps.isEmpty, "\(station.heard.frames) frames")
        // The source goes on.
        while greeted == station.origin.byHand.count, closes { station.reactor.advance(by: .milliseconds(500)) }
        let last = try #require(station.origin.byHand.last { !$0.isCancelled })
        if closes { last.bring(programme.frames(200 - count..<200)) }
        station.reactor.advance(by: .seconds(2))
        last.bring(programme.frames(200..<260))
        station.reactor.advance(by: .seconds(4))
        last.end()
        let isWhole = station.heard.audio == programme.bytes
        #expect(isWhole, "\(station.heard.audio.count / 417) frames")
        #expect(station.heard.gaps.count <= 1, "\(station.heard.gaps)")
    }

    /// The first connection is cut after 8 s, when this frame was the last one on air.
    private static let programme = Broadcast([.music(.seconds(120))])
    private static let last = programme.framesAired(at: .seconds(48)) - 1

    /// The programme with frames that each listener gets otherwise; they are counted back from ``last``.
    private static func marked(_ frames: [Int]) -> Broadcast {
        programme.damaged(
            Dictionary(
                uniqueKeysWithValues: frames.map { back in
                    (programme.byteRange(of: last - back..<last - back + 1).lowerBound + 200, 0x15)
                }))
    }

    @Test(
        "A56: Frames that differ for each listener do not hide that the others of a burst were delivered",
        arguments: (0..<10).map { [$0] } + [[0, 20], [2, 60], [7, 30, 60, 90, 120, 150]])
    func marks(frames: [Int]) {
        let marked = Self.marked(frames)
        let script = LiveScript { visit in
            let isFirst = visit.number == 0
            var stream = LiveStream(
                isFirst ? Self.programme : marked, faults: isFirst ? [.at(.seconds(8), .reset)] : [], block: 1)
            stream.burstBeginsWithFrame = true
            return .stream(stream)
        }
        let outcome = VirtualStation(script, hearing: HeardFrames(of: Self.programme)).run(for: .seconds(30))
        #expect(outcome.isWhole && outcome.snapshot.reconnects == 1, "\(outcome)")
    }

    /// What each client gets otherwise. With `longBurst`, the fourth connection begins with twice the usual burst; with
    /// `shortLife`, it ends soon after that; with `lag`, it gets to a server that is three seconds behind the others.
    enum Others: CaseIterable { case encoders, bitRates, longBurst, shortLife, lag }

    @Test(
        "A56: After other frames at two reconnects, an address goes on where the time tells, behind an unknown gap",
        arguments: Others.allCases)
    func otherFrames(others: Others) throws {
        let programmes = (0..<5).map { number in
            let bitRate = others == .bitRates ? [128, 96, 192, 64, 160][number] : 128
            return Broadcast([.music(.seconds(120))], MPEGShape(bitRate), seed: UInt64(number + 1))
        }
        let script = LiveScript { visit in
            let isShort = visit.number == 3 && others == .shortLife
            let length = Duration.seconds(visit.number == 0 ? 15 : isShort ? 1.5 : 9)
            var stream = LiveStream(programmes[min(visit.number, 4)], faults: [.at(length, .reset)])
            if visit.number == 3, others == .lag { stream.lag = .seconds(3) }
            stream.burst = (visit.number == 3 && others == .longBurst ? 8 : 4) * stream.programme.bytes.count / 120
            return .stream(stream)
        }
        // The same run is made for each connection, to compare the delivered frames with those of its own.
        let outcomes = programmes.map {
            VirtualStation(script, hearing: HeardFrames(of: $0)).run(for: .seconds(others == .shortLife ? 42 : 50))
        }
        let heard = outcomes[0].heard
        #expect(outcomes.allSatisfy { $0.report.lost.isEmpty && $0.report.duplicated.isEmpty }, "\(outcomes)")
        // The first two reconnects show that the frames differ. They are kept, and the gap says how many may be double.
        let double = [4.0, 4, others == .longBurst ? 8 : others == .lag ? 3 : 0, others == .lag ? -3 : 0]
        for (number, (before, after)) in zip(outcomes, outcomes.dropFirst()).enumerated() {
            let (last, first) = (try #require(before.report.last), try #require(after.report.first))
            let length = Duration.samples(Int64(last + 1 - first) * 1_152, at: 44_100)
            #expect(abs(length.inSeconds - double[number]) < 0.1, "\(number): \(length), \(outcomes[number])")
        }
        // Nothing proves what time left out, so that anything may be missing.
        #expect(heard.gaps.count == double.count && heard.gaps.allSatisfy { $0.length == nil }, "\(heard.gaps)")
        #expect(heard.gaps.count { $0.overlap > .zero } == (others == .longBurst ? 3 : 2), "\(heard.gaps)")
    }
}

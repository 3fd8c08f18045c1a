// SPDX-License-Identifier: MIT

import EventLoop
import EventLoopTesting
import Instants
import RadioCore
import Stations
import TestSupport
import Testing

/// A station whose connections break in every way, in virtual time: real bytes pass demultiplexer, framer, splicer and
/// ring.
struct SpliceTests {
    private static let shapes = [
        MPEGShape(32, isMono: true), MPEGShape(128), MPEGShape(128, sampleRate: 48_000), MPEGShape(192),
        MPEGShape(320), MPEGShape(128, isVariable: true),
    ]

    private func station(_ script: LiveScript, _ programme: Broadcast) -> VirtualStation {
        VirtualStation(script, hearing: HeardFrames(of: programme))
    }

    @Test("A1: A connection that is cut in mid-frame every 8 s costs no frame and repeats none", arguments: shapes)
    func cuts(shape: MPEGShape) {
        let programme = Broadcast([.music(.seconds(100))], shape)
        for effect in [LiveFault.Effect.close, .reset] {
            for inMetadata in [false, true] {
                let fault =
                    inMetadata ? LiveFault.inMetadata(after: .seconds(8), effect) : .inFrame(after: .seconds(8), effect)
                let script = LiveScript(
                    .stream(LiveStream(programme, interval: inMetadata ? 4_000 : nil, faults: [fault])))
                let outcome = station(script, programme).run(for: .seconds(45))
                #expect(outcome.isWhole, "\(effect), in metadata \(inMetadata): \(outcome)")
                #expect(outcome.snapshot.reconnects >= 4, "\(outcome)")
                #expect(outcome.log.accepts.count <= outcome.log.faults.count + 1, "\(outcome)")
                #expect(outcome.heard.longestPause <= .seconds(1), "\(outcome.heard.longestPause)")
            }
        }
    }

    @Test("A2: A hedge replaces a connection that falls silent after 8 s, and no frame is lost", arguments: shapes)
    func stalls(shape: MPEGShape) {
        let programme = Broadcast([.music(.seconds(100))], shape)
        let script = LiveScript(.stream(LiveStream(programme, faults: [.at(.seconds(8), .stall)])))
        let outcome = station(script, programme).run(for: .seconds(45))
        #expect(outcome.isWhole, "\(outcome)")
        #expect(outcome.snapshot.reconnects >= 4 && outcome.snapshot.hedges >= 4, "\(outcome)")
        #expect(outcome.log.accepts.count <= outcome.log.faults.count + 1, "\(outcome)")
        #expect(outcome.heard.longestPause <= .milliseconds(3_500), "\(outcome.heard.longestPause)")
    }

    @Test("C21: Fewer than eight delivered frames behind an advert that was delivered, too, are dropped")
    func fewBehindAdvert() {
        let programme = Broadcast([.music(.seconds(90))])
        let advert = Broadcast([.music(.seconds(3))], seed: 7)
        for catchUp in stride(from: 0, to: 0.3, by: 0.026) {
            let script = LiveScript { visit in
                let reach = Duration.seconds(visit.number == 0 ? 1 : catchUp)
                let faults: [LiveFault] = visit.number == 0 ? [.at(.seconds(8), .reset)] : []
                return .stream(
                    LiveStream(programme, faults: faults, advert: .init(advert, catchUp: reach, isPaced: false)))
            }
            let outcome = station(script, programme).run(for: .seconds(20))
            let told = outcome.heard.gaps.compactMap(\.length).reduce(.zero, +)
            let lost = Duration.samples(Int64(outcome.report.lost.count * 1_152), at: 44_100)
            #expect(outcome.report.duplicated.isEmpty, "\(catchUp): \(outcome)")
            #expect((told - lost).magnitude < .milliseconds(1), "\(catchUp): \(outcome)")
        }
    }

    @Test("A station that is gone for 3 s loses nothing, because its burst covers the time")
    func goneForThreeSeconds() {
        let programme = Broadcast([.music(.seconds(75))])
        let heard = HeardFrames(of: programme)
        for seed in 0..<1_000 {
            var random = SplitMix64(seed: UInt64(seed))
            var script = LiveScript(.stream(LiveStream(programme)))
            let when = Duration.milliseconds(Int.random(in: 4_000..<12_000, using: &random))
            script.absences = [.init(when, for: .seconds(3), .gone)]
            let station = VirtualStation(script, hearing: heard, seed: UInt64(seed))
            let outcome = station.run(for: .seconds(20))
            #expect(outcome.isWhole, "seed \(seed), gone at \(when): \(outcome)")
        }
    }

    @Test(
        "A station that is gone for 12, 20 or 30 s has one gap of the right length, and is back within 5 s",
        arguments: [12, 20, 30])
    func gone(absence: Int) throws {
        let programme = Broadcast([.music(.seconds(120))])
        for seed in 0..<50 {
            let script = LiveScript(
                .stream(LiveStream(programme)), absences: [.init(.seconds(10), for: .seconds(absence), .gone)])
            let station = VirtualStation(script, hearing: HeardFrames(of: programme), seed: UInt64(seed))
            let began = station.reactor.now
            let outcome = station.run(for: .seconds(25 + absence))
            let gap = try #require(outcome.heard.gaps.first)
            #expect(outcome.heard.gaps.count == 1)
            #expect(outcome.report.duplicated.isEmpty && outcome.report.foreign == 0 && outcome.report.disorders == 0)
            let missing = Duration.samples(Int64(outcome.report.lost.count * 1_152), at: 44_100)
            let length = try #require(gap.length)
            #expect(abs((length - missing).inSeconds) <= 0.2, "\(length) for \(missing)")
            #expect(!gap.cause.isEmpty)
            let back = try #require(outcome.heard.firstAfterGap)
            #expect(back - began <= .seconds(15 + absence), "seed \(seed): \(back - began)")
            #expect(outcome.heard.formats.count == 1)
        }
    }

    @Test("C6: A cut inside ten seconds of digital silence makes no gap", arguments: [44_100, 48_000])
    func silence(sampleRate: Int) throws {
        let shape = MPEGShape(128, sampleRate: sampleRate)
        let programme = Broadcast([.music(.seconds(53)), .silence(.seconds(10)), .music(.seconds(60))], shape)
        // The programme has been on air for 40 s already, so the silence is from 13 s to 23 s.
        let heard = HeardFrames(of: programme)
        for cut in [14.0, 16, 18, 20, 22.5] {
            var script = LiveScript(.stream(LiveStream(programme, faults: [.inFrame(after: .seconds(cut), .reset)])))
            script.answer = { visit in
                .stream(
                    LiveStream(
                        programme, faults: visit.number == 0 ? [.inFrame(after: .seconds(cut), .reset)] : []))
            }
            let outcome = VirtualStation(script, hearing: heard).run(for: .seconds(35))
            if sampleRate == 44_100 {
                #expect(outcome.isWhole, "cut at \(cut): \(outcome)")
            } else {
                #expect(outcome.heard.gaps.isEmpty, "cut at \(cut): \(outcome)")
                // If the burst reaches back to the music, frames tell the place.
                let isTold = cut < 17
                #expect(!isTold || outcome.isWhole, "cut at \(cut): \(outcome)")
                #expect(isTold || outcome.heard.splices.map(\.method) == [.time], "cut at \(cut): \(outcome)")
                let off = Duration.milliseconds(24) * (outcome.report.lost.count + outcome.report.duplicated.count)
                #expect(off <= .milliseconds(100), "cut at \(cut): \(outcome)")
                #expect(outcome.report.lost.isEmpty, "cut at \(cut): \(outcome)")
            }
        }
    }

    @Test("A jingle that comes ten times is kept whole, without a cut and with one inside the third")
    func jingle() {
        let programme = Broadcast([.music(.seconds(50)), .jingle(.seconds(5), times: 10), .music(.seconds(40))])
        let heard = HeardFrames(of: programme)
        for cut in [nil, 20.4, 22.0, 24.9] as [Double?] {
            let script = LiveScript { visit in
                var stream = LiveStream(programme)
                if visit.number == 0, let cut { stream.faults = [.inFrame(after: .seconds(cut), .reset)] }
                return .stream(stream)
            }
            let outcome = VirtualStation(script, hearing: heard).run(for: .seconds(75))
            #expect(outcome.isWhole, "cut at \(String(describing: cut)): \(outcome)")
        }
    }

    @Test("C21: An advert at each connect is a foreign span, and the programme after it is whole")
    func advert() throws {
        let programme = Broadcast([.music(.seconds(140))])
        let advert = Broadcast([.music(.seconds(20))], seed: 5)
        let script = LiveScript { visit in
            var stream = LiveStream(programme)
            if visit.number == 0 {
                stream.faults = [.inFrame(after: .seconds(12), .reset)]
            } else {
                stream.advert = .init(advert, catchUp: .seconds(4))
            }
            return .stream(stream)
        }
        let outcome = station(script, programme).run(for: .seconds(60))
        #expect(outcome.report.lost.isEmpty && outcome.report.duplicated.isEmpty, "\(outcome)")
        #expect(outcome.report.disorders == 0)
        #expect(outcome.heard.foreign.count == 1, "\(outcome)")
        let span = try #require(outcome.heard.foreign.first)
        #expect(abs(span.length.inSeconds - 20) < 0.1, "\(span)")
        #expect(span.frames.count == outcome.report.foreign)
        #expect(outcome.heard.gaps.count == 1)
    }

    @Test(
        "C21: An advert that comes at once before the programme is dropped, and the splice counts its frames",
        arguments: [8, 15])
    func fastAdvert(seconds: Int) throws {
        let programme = Broadcast([.music(.seconds(140))])
        let advert = Broadcast([.music(.seconds(seconds))], seed: 5)
        let script = LiveScript { visit in
            var stream = LiveStream(programme)
            if visit.number == 0 {
                stream.faults = [.inFrame(after: .seconds(40), .reset)]
            } else {
                stream.advert = .init(advert, catchUp: .seconds(4), isPaced: false)
            }
            return .stream(stream)
        }
        let outcome = station(script, programme).run(for: .seconds(60))
        #expect(outcome.isWhole, "\(outcome)")
        #expect(outcome.heard.splices.map(\.unheardFrames) == [Int64(advert.frames.count)], "\(outcome)")
    }

    @Test("C21: Another advert at each connect, shorter than the burst after it, hides nothing that follows")
    func advertAtEachConnect() {
        let programme = Broadcast([.music(.seconds(160))])
        let script = LiveScript { visit in
            let advert = Broadcast([.music(.seconds(6))], seed: 5 + UInt64(visit.number))
            return .stream(
                LiveStream(
                    programme, faults: [.inFrame(after: .seconds(16), .reset)],
                    advert: .init(advert, catchUp: .seconds(3))))
        }
        let outcome = station(script, programme).run(for: .seconds(75))
        #expect(outcome.report.lost.isEmpty && outcome.report.duplicated.isEmpty, "\(outcome)")
        // The first advert precedes the programme, so nothing tells it from the station.
        #expect(outcome.heard.foreign.count == 4 && outcome.heard.gaps.count == 4, "\(outcome)")
        #expect(outcome.heard.gaps.allSatisfy { $0.length.map { $0 < .milliseconds(500) } ?? false }, "\(outcome)")
    }

    @Test("A mirror replaces one that died, without a gap if both send equal frames")
    func mirrors() {
        let programme = Broadcast([.music(.seconds(100))])
        let other = Broadcast([.music(.seconds(100))], seed: 2)
        let urls = ["http://one.test/live", "http://two.test/live"]
        let dying = LiveScript(
            .stream(LiveStream(programme)), absences: [.init(.seconds(10), for: .seconds(1_000), .gone)])
        let same = ["one.test": dying, "two.test": LiveScript(.stream(LiveStream(programme)))]
        let whole = VirtualStation(hosts: same, hearing: HeardFrames(of: programme), urls: urls).run(for: .seconds(40))
        #expect(whole.isWhole, "\(whole)")
        let different = ["one.test": dying, "two.test": LiveScript(.stream(LiveStream(other)))]
        let first = VirtualStation(
            hosts: different, hearing: HeardFrames(of: programme), urls: urls
        ).run(for: .seconds(40))
        #expect(first.report.lost.isEmpty && first.report.duplicated.isEmpty, "\(first)")
        // The first join is a discontinuity, too.
        #expect(first.heard.discontinuities.count == 2, "\(first)")
        #expect(first.heard.gaps.count == 1)
    }

    @Test("A mirror that hangs is passed over at each cut of the other, and nothing is lost")
    func hangingMirror() {
        let programme = Broadcast([.music(.seconds(140))])
        let heard = HeardFrames(of: programme)
        let cut = LiveStream(programme, faults: [.inFrame(after: .seconds(8), .reset)])
        // The mirror has never answered, or has stopped answering.
        for hanging in [LiveScript(.silence), LiveScript(.stream(cut), .silence)] {
            let outcome = VirtualStation(
                hosts: ["one.test": hanging, "two.test": LiveScript(.stream(cut))], hearing: heard,
                urls: ["http://one.test/live", "http://two.test/live"]
            ).run(for: .seconds(90))
            #expect(outcome.isWhole, "\(outcome)")
            #expect(outcome.log.faults.count >= 8, "\(outcome)")
            #expect(outcome.heard.longestPause <= .milliseconds(3_500), "\(outcome.heard.longestPause)")
            #expect(outcome.log.accepts.count { $0.host == "one.test" } <= 2, "\(outcome)")
        }
    }

    @Test("A25: A source that pauses behind a running server costs few connections, no frame, and one gap")
    func silentSource() {
        let programme = Broadcast([.music(.seconds(120))])
        let (silence, comeback) = (Duration.seconds(15), Duration.seconds(45))
        let script = LiveScript { visit in
            var stream = LiveStream(programme)
            if visit.time < silence {
                stream.faults = [.at(silence - visit.time, .stall)]
            } else {
                // The burst contains only the last audio that the server received.
                stream.lag = min(visit.time, comeback) - silence
                stream.speed = (0.000_01, max(.zero, comeback - visit.time))
            }
            return .stream(stream)
        }
        let outcome = station(script, programme).run(for: .seconds(70))
        #expect(outcome.report.exactStretch != nil && outcome.heard.gaps.count == 1, "\(outcome)")
        // A pause cannot be told from audio that was left out, because the frames after the pause are on air later by
        // its length.
        let length = outcome.heard.gaps.first?.length ?? .zero
        #expect(abs(length.inSeconds - 30) < 0.5, "\(outcome)")
        #expect(outcome.heard.splices.count <= 2 && outcome.snapshot.reconnects <= 7, "\(outcome)")
        #expect(outcome.log.accepts.count <= 9, "\(outcome)")
    }

    @Test("A reconnect that hangs gets a hedge in time, and nothing is lost")
    func hangingReturn() {
        let programme = Broadcast([.music(.seconds(140))])
        let cut = LiveStream(programme, faults: [.inFrame(after: .seconds(8), .reset)])
        let script = LiveScript { visit in visit.number % 3 == 1 ? .silence : .stream(cut) }
        let outcome = station(script, programme).run(for: .seconds(90))
        #expect(outcome.isWhole, "\(outcome)")
        #expect(outcome.log.faults.count >= 8 && outcome.snapshot.hedges >= 4, "\(outcome)")
        #expect(outcome.heard.longestPause <= .milliseconds(3_500), "\(outcome.heard.longestPause)")
    }

    @Test("A server more than half a minute behind is not waited for, and all its audio is kept behind a gap")
    func farBehind() throws {
        let programme = Broadcast([.music(.seconds(300))])
        let dying = LiveScript(
            .stream(LiveStream(programme)), absences: [.init(.seconds(80), for: .seconds(1_000), .gone)],
            onAir: .seconds(100))
        let late = LiveStream(programme, lag: .seconds(75))
        let behind = LiveScript(.stream(late), onAir: .seconds(100))
        let outcome = VirtualStation(
            hosts: ["one.test": dying, "two.test": behind], hearing: HeardFrames(of: programme),
            urls: ["http://one.test/", "http://two.test/"]
        ).run(for: .seconds(180))
        #expect(outcome.heard.longestPause < .seconds(5), "\(outcome.heard.longestPause)")
        let gap = try #require(outcome.heard.gaps.first)
        #expect(outcome.heard.gaps.count == 1 && outcome.heard.foreign.isEmpty, "\(outcome)")
        #expect(gap.repeats.map { abs($0.inSeconds - 75) < 0.5 } ?? false, "\(gap)")
        #expect(outcome.report.lost.isEmpty && outcome.report.foreign == 0, "\(outcome)")
        // The lag and the burst are repeated, less what aired during the outage.
        let twice = Duration.samples(Int64(outcome.report.duplicated.count * 1_152), at: 44_100)
        #expect(abs(twice.inSeconds - 78.5) < 2, "\(twice)")
    }
}

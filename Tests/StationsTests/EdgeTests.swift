// SPDX-License-Identifier: MIT

import EventLoop
import EventLoopTesting
import Instants
import RadioCore
import Stations
import TestSupport
import Testing

/// Servers that change between connections or deliver unsteadily: tokens expire, edges lag or lead, a clock ends
/// connections, and streams drip, rush or arrive in blocks.
struct EdgeTests {
    private static let programme = Broadcast([.music(.seconds(175))])
    private static let heard = HeardFrames(of: programme)

    private func run(_ script: LiveScript, for length: Duration, seed: UInt64 = 1) -> VirtualStation.Outcome {
        VirtualStation(script, hearing: Self.heard, seed: seed).run(for: length)
    }

    @Test("A9: The configured address is back in use within 0.5 s of a refused token, and nothing is lost")
    func tokens() {
        let programme = Self.programme
        let station = LiveScript { visit in
            .redirect(to: "http://edge.test/\(Int(visit.time.inSeconds * 1_000))")
        }
        let edge = LiveScript { visit in
            let issued = Int(visit.target.dropFirst()) ?? 0
            guard visit.time <= .milliseconds(issued + 5_000) else { return .status(403, "Forbidden") }
            return .stream(LiveStream(programme, faults: [.inFrame(after: .seconds(8), .reset)]))
        }
        let outcome = VirtualStation(
            hosts: ["radio.test": station, "edge.test": edge], hearing: Self.heard
        ).run(for: .seconds(60))
        #expect(outcome.isWhole, "\(outcome)")
        #expect(outcome.log.faults.count >= 6)
        for fault in outcome.log.faults {
            let again = outcome.log.accepts.first { $0.host == "radio.test" && $0.at > fault.at }
            #expect(again.map { $0.at - fault.at <= .milliseconds(500) } ?? false, "\(fault)")
        }
        // Each expired token is tried at most once more.
        let refused = outcome.log.accepts.count - 2 * (outcome.log.faults.count + 1)
        #expect(refused <= outcome.log.faults.count, "\(outcome)")
    }

    @Test("A10: A new edge that is 30 s behind is waited for, and no frame is lost or repeated")
    func behind() {
        let script = LiveScript { visit in
            var stream = LiveStream(Self.programme)
            if visit.number > 0 {
                stream.lag = .seconds(30)
            } else {
                stream.faults = [.inFrame(after: .seconds(40), .reset)]
            }
            return .stream(stream)
        }
        let outcome = run(script, for: .seconds(95))
        #expect(outcome.isWhole, "\(outcome)")
        #expect(outcome.log.accepts.count == 2, "\(outcome)")
    }

    @Test("A10: A new edge that is 20 s ahead makes one gap, and everything that it sends is kept")
    func ahead() throws {
        let script = LiveScript { visit in
            var stream = LiveStream(Self.programme)
            if visit.number > 0 {
                stream.lag = .seconds(-20)
            } else {
                stream.faults = [.inFrame(after: .seconds(12), .reset)]
            }
            return .stream(stream)
        }
        let outcome = run(script, for: .seconds(60))
        #expect(outcome.heard.gaps.count == 1, "\(outcome)")
        #expect(outcome.report.duplicated.isEmpty && outcome.report.foreign == 0, "\(outcome)")
        #expect(outcome.report.disorders == 0)
        // The missing audio is the 20 s, less a burst of 4 s.
        let missing = Duration.samples(Int64(outcome.report.lost.count * 1_152), at: 44_100)
        #expect(abs(missing.inSeconds - 15.9) < 0.3, "\(missing)")
        let fault = try #require(outcome.log.faults.first)
        #expect(outcome.report.lost.first.map { abs($0 - fault.place) <= 2 } ?? false)
    }

    @Test(
        "A10: Frames that an edge repeats because it begins before the recording are reported exactly",
        arguments: [6, 12, 20, 28], [0, 16_000, 64_000])
    func beforeRecording(lag: Int, burst: Int) {
        // The last two recordings end in the middle of the repeated frames.
        for (cut, length) in [(3, 60), (8, 60), (8, lag + 4), (8, lag + 7)] {
            let script = LiveScript { visit in
                var stream = LiveStream(Self.programme, burst: burst)
                if visit.number > 0 {
                    stream.lag = .seconds(lag)
                } else {
                    stream.faults = [.inFrame(after: .seconds(cut), .reset)]
                }
                return .stream(stream)
            }
            let reactor = ManualReactor()
            let station = VirtualStation(script, hearing: Self.heard, reactor: reactor)
            reactor.advance(by: .seconds(60))
            let outcome = station.run(for: .seconds(length))
            let told = outcome.heard.stretches.reduce(0) { $1.kind == .repeated ? $0 + $1.frames.count : $0 }
            let places = outcome.report.places.compactMap(\.self)
            #expect(places.count - Set(places).count == told && outcome.report.foreign == 0, "cut \(cut): \(outcome)")
        }
    }

    @Test("A10: A repeated stretch of a lagging edge is reported across the splice after a cut")
    func behindTwice() {
        let script = LiveScript { visit in
            var stream = LiveStream(Self.programme)
            if 1...2 ~= visit.number { stream.lag = .seconds(40) }
            stream.faults = [.inFrame(after: .seconds(visit.number == 0 ? 50 : 10), .reset)]
            return .stream(stream)
        }
        let outcome = run(script, for: .seconds(80))
        let told = outcome.heard.repeated.reduce(0) { $0 + $1.frames.count }
        let places = outcome.report.places.compactMap(\.self)
        #expect(told > 700 && places.count - Set(places).count == told, "\(outcome)")
    }

    @Test("A10: No gap claims that nothing is missing after an edge that lagged once", arguments: [25, 45])
    func behindForOnce(lag: Int) {
        let script = LiveScript { visit in
            var stream = LiveStream(Self.programme)
            if visit.number == 1 { stream.lag = .seconds(lag) }
            if visit.number < 2 { stream.faults = [.inFrame(after: .seconds(visit.number == 0 ? 10 : 13), .reset)] }
            return .stream(stream)
        }
        let reactor = ManualReactor()
        let station = VirtualStation(script, hearing: Self.heard, reactor: reactor)
        reactor.advance(by: .seconds(60))
        let outcome = station.run(for: .seconds(40))
        #expect(!outcome.report.lost.isEmpty && outcome.heard.gaps.count == 2, "\(outcome)")
        #expect(outcome.heard.gaps.allSatisfy { $0.length == nil && $0.overlap > .seconds(1) }, "\(outcome)")
    }

    @Test("C17: Mirrors with one encoder of which one lags leave out no frame that is new")
    func oneEncoder() {
        let first = LiveScript(
            .stream(LiveStream(Self.programme)), absences: [.init(.seconds(50), for: .seconds(8), .gone)],
            onAir: .seconds(60))
        var second = LiveScript { visit in
            let stream = LiveStream(Self.programme, faults: [.inFrame(after: .seconds(10), .reset)], lag: .seconds(40))
            return visit.number == 0 ? .stream(stream) : .hangUp
        }
        second.onAir = .seconds(60)
        let hosts = ["one.test": first, "two.test": second]
        let outcome = VirtualStation(
            hosts: hosts, hearing: Self.heard, urls: ["http://one.test/live", "http://two.test/live"]
        ).run(for: .seconds(80))
        #expect(outcome.heard.gaps.count == 2, "\(outcome)")
    }

    @Test("A10: Reconnects to lagging, leading or level edges repeat no frame and make one gap for each leap ahead")
    func lottery() {
        let lags = [0, 15, -10]
        for (second, third) in lags.flatMap({ second in lags.map { (second, $0) } }) {
            let script = LiveScript { visit in
                return .stream(
                    LiveStream(
                        Self.programme, faults: [.inFrame(after: .seconds(40), .reset)],
                        lag: .seconds([0, second, third, third][min(3, visit.number)])))
            }
            let outcome = run(script, for: .seconds(115))
            let name = "\(second), then \(third): \(outcome)"
            #expect(outcome.report.duplicated.isEmpty && outcome.report.foreign == 0, "\(name)")
            #expect(outcome.report.disorders == 0, "\(name)")
            // A burst of 4 s does not cover any of the leaps.
            #expect(outcome.heard.gaps.count == (second < 0 ? 1 : 0) + (third < second ? 1 : 0), "\(name)")
            #expect(outcome.report.lost.isEmpty == outcome.heard.gaps.isEmpty, "\(name)")
        }
    }

    @Test("A15: A drip of 10 bytes a second is treated as a stall")
    func drip() {
        let script = LiveScript(.stream(LiveStream(Self.programme, faults: [.at(.seconds(8), .trickle(10))])))
        expectStalls(run(script, for: .seconds(45)))
    }

    @Test("A15: Metadata without audio is treated as a stall", arguments: [10, 1_000, 4_000])
    func metadataOnly(rate: Int) {
        let stream = LiveStream(Self.programme, interval: 16_000, faults: [.at(.seconds(8), .metadataOnly(rate))])
        // The audio continues for up to a second, until metadata is due.
        expectStalls(run(LiveScript(.stream(stream)), for: .seconds(50)))
    }

    @Test(
        "A station that sends in blocks of seconds loses no frame and gets few hedges", arguments: [1.0, 1.5, 2.4, 4])
    func blocks(seconds: Double) {
        for burst in [0, 64 * 1_024] {
            let stream = LiveStream(Self.programme, burst: burst, block: Int(16_000 * seconds))
            let outcome = run(LiveScript(.stream(stream)), for: .seconds(60))
            #expect(outcome.isWhole, "burst \(burst): \(outcome)")
            // Pauses longer than the longest hedge delay are recognized only after some of them.
            #expect(outcome.log.accepts.count <= (seconds > 2.5 ? 4 : 1), "burst \(burst): \(outcome)")
        }
    }

    private func expectStalls(_ outcome: VirtualStation.Outcome) {
        #expect(outcome.isWhole, "\(outcome)")
        #expect(outcome.snapshot.reconnects >= 4 && outcome.snapshot.hedges >= 4, "\(outcome)")
        #expect(outcome.log.accepts.count <= outcome.log.faults.count + 1, "\(outcome)")
        #expect(outcome.heard.longestPause <= .milliseconds(3_500), "\(outcome.heard.longestPause)")
    }

    @Test("A16: A stream at ten or twenty times real time is delivered whole and once", arguments: [10.0, 20])
    func rush(factor: Double) {
        let programme = Broadcast([.music(.seconds(700))], MPEGShape(32, isMono: true))
        let stream = LiveStream(programme, speed: (factor, .seconds(30)))
        let outcome = VirtualStation(
            LiveScript(.stream(stream)), hearing: HeardFrames(of: programme)
        ).run(for: .seconds(45))
        #expect(outcome.isWhole, "\(outcome)")
        #expect(outcome.log.accepts.count == 1 && outcome.heard.discontinuities.count == 1)
        let length = Duration.samples(Int64(outcome.report.places.count * 1_152), at: 44_100)
        #expect(length >= .seconds(30 * Int(factor) + 14), "\(length)")
    }

    @Test("A20: A station that ends each connection after a minute loses and repeats nothing despite 512 KiB bursts")
    func kicked() {
        let programme = Broadcast([.music(.seconds(650))])
        let script = LiveScript(.stream(LiveStream(programme, burst: 512 * 1_024, faults: [.at(.seconds(60), .close)])))
        let outcome = VirtualStation(script, hearing: HeardFrames(of: programme)).run(for: .seconds(600))
        #expect(outcome.isWhole, "\(outcome)")
        #expect(outcome.snapshot.reconnects == 9, "\(outcome)")
    }
}

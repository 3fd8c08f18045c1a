// SPDX-License-Identifier: MIT

import EventLoop
import EventLoopTesting
import Instants
import RadioCore
import Stations
import TestSupport
import Testing

/// Second connections that fail: the first one loses nothing because of them.
struct SecondConnectionTests {
    private static let programme = Broadcast([.music(.seconds(175))])
    private static let heard = HeardFrames(of: programme)

    /// A stream that falls silent for 3 s after each 8 s, and then brings everything that aired meanwhile. Its burst is
    /// half a second.
    private static let stalling: LiveStream = {
        let faults = (0..<10).flatMap { turn -> [LiveFault] in
            let stall = 8 + 11 * turn
            return [.at(.seconds(stall), .stall), .at(.seconds(stall + 3), .resume)]
        }
        return LiveStream(programme, burst: 8 * 1_024, faults: faults)
    }()

    /// How a server refuses a client's second connection.
    enum Refusal: CaseIterable {
        case forbidden, busy, hangUp, empty

        var answer: LiveScript.Answer {
            switch self {
            case .forbidden: .status(403, "Forbidden")
            case .busy: .status(503, "Service Unavailable", ["Retry-After": "1"])
            case .hangUp: .hangUp
            case .empty: .response(LiveHead(200, "OK", ["Content-Type": "audio/mpeg", "icy-name": "Closed"]))
            }
        }
    }

    @Test(
        "A21: A stalling server that allows one connection per client loses nothing and gets a single hedge",
        arguments: Refusal.allCases)
    func oneForEach(_ refusal: Refusal) {
        let script = LiveScript { visit in visit.others > 0 ? refusal.answer : .stream(Self.stalling) }
        let outcome = VirtualStation(script, hearing: Self.heard).run(for: .seconds(45))
        #expect(outcome.isWhole, "\(outcome)")
        #expect(outcome.snapshot.reconnects == 0 && outcome.snapshot.hedges == 1, "\(outcome)")
        #expect(outcome.log.accepts.count == 2, "\(outcome)")
    }

    @Test("A21: A stalling station with a dead mirror loses nothing, and the mirror is tried once")
    func deadMirror() {
        let dead = LiveScript(.hangUp, absences: [.init(.zero, for: .seconds(3_600), .refusing)])
        let outcome = VirtualStation(
            hosts: ["radio.test": LiveScript(.stream(Self.stalling)), "dead.test": dead], hearing: Self.heard,
            urls: ["http://radio.test/live", "http://dead.test/live"]
        ).run(for: .seconds(45))
        #expect(outcome.isWhole, "\(outcome)")
        #expect(outcome.log.refusals.count == 1, "\(outcome)")
        // Each stall has one hedge, at the address that works.
        #expect(outcome.log.accepts.count <= 5, "\(outcome)")
    }

    @Test("A21: A station that refuses hedges and stalls for good is back when its ten seconds are over")
    func silentForGood() throws {
        let script = LiveScript { visit in
            if visit.others > 0 { return .status(403, "Forbidden") }
            return .stream(LiveStream(Self.programme, faults: visit.number == 0 ? [.at(.seconds(8), .stall)] : []))
        }
        let outcome = VirtualStation(script, hearing: Self.heard).run(for: .seconds(45))
        #expect(outcome.heard.gaps.map(\.cause) == ["the station stopped sending audio"], "\(outcome)")
        #expect(outcome.log.accepts.count == 3, "\(outcome)")
        #expect(outcome.report.duplicated.isEmpty && outcome.report.disorders == 0, "\(outcome)")
        // The missing audio is the ten seconds, less a burst of four.
        let length = try #require(outcome.heard.gaps.first?.length)
        #expect(abs(length.inSeconds - 5.9) < 0.3, "\(length)")
    }

    @Test("A21: A query in the address does not count as credentials, so the station gets hedges")
    func query() {
        let script = LiveScript(.stream(LiveStream(Self.programme, faults: [.at(.seconds(8), .stall)])))
        let outcome = VirtualStation(
            script, hearing: Self.heard, urls: ["http://radio.test/live?token=abc&id=7"]
        ).run(for: .seconds(45))
        #expect(outcome.isWhole && outcome.snapshot.hedges >= 4, "\(outcome)")
    }

    private static let long = Broadcast([.music(.seconds(660))], MPEGShape(32, isMono: true))
    private static let heardLong = HeardFrames(of: long)

    @Test(
        "A22: A station that sends in lumps loses nothing, and gets no hedge once that is known",
        arguments: [2, 5, 10, 12, 15], [0, 1, 4, 8, 15])
    func lumps(seconds: Int, burst: Int) {
        let stream = LiveStream(Self.long, burst: 4_000 * burst, block: 4_000 * seconds)
        let script = LiveScript(.stream(stream))
        let station = VirtualStation(script, hearing: Self.heardLong)
        let known = station.reactor.now + .seconds(60)
        let outcome = station.run(for: .seconds(600))
        let late = outcome.log.accepts.filter { $0.at > known }
        #expect(outcome.isWhole, "\(outcome)")
        #expect(outcome.log.accepts.count <= 6 && late.isEmpty, "\(outcome.log.accepts.map(\.at.nanoseconds))")
    }

    @Test(
        "A22: A station whose connections have lumps of their own loses nothing and gets few hedges",
        arguments: [5, 8, 12, 15], [0, 4, 10, 15])
    func ownLumps(seconds: Int, burst: Int) {
        let faults = (0..<600 / seconds).flatMap { turn -> [LiveFault] in
            let lump = Duration.seconds(seconds * turn)
            return [.at(lump + .milliseconds(100), .stall), .at(lump + .seconds(seconds), .resume)]
        }
        let script = LiveScript(.stream(LiveStream(Self.long, burst: 4_000 * burst, faults: faults)))
        let station = VirtualStation(script, hearing: Self.heardLong)
        let outcome = station.run(for: .seconds(600))
        #expect(outcome.isWhole, "\(outcome)")
        #expect(outcome.log.accepts.count <= 4, "\(outcome.log.accepts.map(\.at.nanoseconds))")
    }

    @Test("A22: A station whose connections fall silent after their burst loses audio only at first")
    func burstsAlone() {
        let script = LiveScript(.stream(LiveStream(Self.programme, faults: [.at(.milliseconds(500), .stall)])))
        let outcome = VirtualStation(script, hearing: Self.heard).run(for: .seconds(120))
        #expect(outcome.report.duplicated.isEmpty && outcome.report.disorders == 0, "\(outcome)")
        #expect(outcome.heard.gaps.count == 2 && outcome.report.lost.count < 600, "\(outcome)")
    }

    @Test(
        "A22: A station that sends in lumps and allows no hedge loses nothing", arguments: [5, 9, 11, 12, 15], [4, 15])
    func lumpsAlone(seconds: Int, burst: Int) {
        let stream = LiveStream(Self.long, burst: 4_000 * burst, block: 4_000 * seconds)
        let script = LiveScript(.stream(stream))
        let station = VirtualStation(script, hearing: Self.heardLong, urls: ["http://a:b@radio.test/live"])
        let outcome = station.run(for: .seconds(600))
        #expect(outcome.isWhole, "\(outcome)")
        #expect(outcome.log.accepts.count <= 5, "\(outcome.log.accepts.map(\.at.nanoseconds))")
    }
}

// SPDX-License-Identifier: MIT

import EventLoop
import EventLoopTesting
import Instants
import RadioCore
import TestSupport
import TestTools
import Testing

@testable import Stations

/// Gaps are filled from another Aircheck that relays the station.
struct RelayedPastTests {
    private static let programme = Broadcast([.music(.seconds(500))], MPEGShape(sampleRate: 48_000))
    private static let onAir = Duration.seconds(120)
    private static let healing = "http://nas.test:8000/fip"

    /// A relay that has `depth` of a programme, and lacks the audio at `missing`. It begins with the frame that was on
    /// air at the instant in the request.
    private struct Relay {
        let requests = Watched<[LiveScript.Visit]>([])
        let script: LiveScript

        init(
            of programme: Broadcast, depth: Duration, missing: Range<Duration> = .zero..<(.zero),
            in reactor: ManualReactor
        ) {
            let epoch = reactor.wallNow - RelayedPastTests.onAir
            script = LiveScript(onAir: RelayedPastTests.onAir) { [requests] visit in
                requests.change { $0.append(visit) }
                let now = RelayedPastTests.onAir + visit.time
                let asked = visit.target.split(separator: "=").dropFirst().first.flatMap {
                    AirTimeField.instant(String($0)).map { $0 - epoch }
                }
                var first = programme.framesAired(at: max(asked ?? now - .seconds(4), now - depth, .zero))
                let gap = programme.framesAired(at: missing.lowerBound)..<programme.framesAired(at: missing.upperBound)
                if gap.contains(first) { first = gap.upperBound }
                let time = programme.frames[first].start
                let fields: KeyValuePairs = [
                    "Content-Type": programme.contentType, AirTimeField.name: AirTimeField.value(epoch + time),
                ]
                if first < gap.lowerBound {
                    let bytes = programme.bytes[programme.byteRange(of: first..<gap.lowerBound)]
                    return .response(LiveHead(200, "OK", fields), body: Array(bytes))
                }
                let begin = programme.byteRange(of: first..<first + 1).lowerBound
                var stream = LiveStream(programme, burst: programme.edge(at: now) - begin, fields: fields)
                stream.burstBeginsWithFrame = true
                return .stream(stream)
            }
        }

        /// What was asked for, in seconds before the requests.
        func asked(_ wall: (Duration) -> WallInstant) -> [Double] {
            requests.value.compactMap { visit in
                visit.target.split(separator: "=").dropFirst().first
                    .flatMap { AirTimeField.instant(String($0)) }.map { (wall(visit.time) - $0).inSeconds }
            }
        }
    }

    /// A station without segments that is away for a while, and the servers that may heal its gap.
    private static func station(
        away: Range<Duration> = .seconds(100)..<(.seconds(120)), healing: [String] = [healing],
        _ hosts: (ManualReactor) -> [String: LiveScript]
    ) -> VirtualStation {
        let reactor = ManualReactor()
        let absence = LiveScript.Absence(away.lowerBound, for: away.upperBound - away.lowerBound, .gone)
        var all = hosts(reactor)
        all["radio.test"] = LiveScript(
            .stream(LiveStream(programme, burst: 16_000)), absences: [absence], onAir: onAir)
        return VirtualStation(hosts: all, hearing: HeardFrames(of: programme), reactor: reactor) {
            $0.healing = healing
        }
    }

    @Test("The gap of a station without segments is filled from another Aircheck, which is left alone afterwards")
    func station() throws {
        var relay: Relay?
        let station = Self.station { reactor in
            let made = Relay(of: Self.programme, depth: .seconds(77), in: reactor)
            relay = made
            return ["nas.test:8000": made.script]
        }
        let epoch = station.reactor.wallNow
        station.station.start()
        station.reactor.advance(by: .seconds(130))
        #expect(station.origin.transfersUnderWay == 1)
        let outcome = station.end()
        let (isWhole, gaps) = (outcome.isRecordedWhole, outcome.heard.gaps.map(\.length))
        #expect(isWhole && gaps.count == 1, "\(gaps)")
        #expect(outcome.heard.found.map(\.source) == ["another Aircheck"])
        let requests = try #require(relay).requests.value
        // First it is found out what the address has, and then the audio is fetched.
        let fields = requests.map { visit in visit.fields.first { $0.name == "aircheck-filler" }?.value }
        #expect(requests.map { $0.target.hasPrefix("/fip?from=") } == [false, true])
        #expect(fields == ["none; new", "none; new"])
        // A minute before the gap.
        let asked = try #require(relay?.asked { epoch + $0 }.first)
        #expect((83...86).contains(asked), "\(asked)")
        #expect(!requests.contains { $0.fields.contains { $0.name == "icy-metadata" } })
    }

    @Test("What a short list has lost comes from another Aircheck with a deeper ring")
    func segments() throws {
        let short = HLSScript(
            HLSRendition(Self.programme, window: 20),
            faults: [.everything(during: .seconds(160)..<(.seconds(250)), .status(503))]
        ).with { $0.onAir = Self.onAir }
        let reactor = ManualReactor()
        let hls = VirtualHLS(short, in: reactor)
        let relay = Relay(of: Self.programme, depth: .seconds(200), in: reactor)
        let station = VirtualStation(
            hosts: ["radio.test": hls.live, "nas.test:8000": relay.script], hearing: HeardFrames(of: Self.programme),
            urls: ["http://radio.test/live.m3u8"], isPatient: true, reactor: reactor
        ) { $0.healing = [Self.healing] }
        let outcome = station.run(for: .seconds(200))
        let (isWhole, gaps) = (outcome.isRecordedWhole, outcome.heard.gaps.map(\.length))
        #expect(isWhole && gaps.count == 1, "\(gaps) \(outcome.heard.found.map(\.length))")
    }

    @Test("Where the other Aircheck lacks audio as well, what it has on both sides of that is put in")
    func missingThere() throws {
        let missing = Self.onAir + .seconds(108)..<Self.onAir + .seconds(112)
        let station = Self.station { reactor in
            ["nas.test:8000": Relay(of: Self.programme, depth: .seconds(77), missing: missing, in: reactor).script]
        }
        let outcome = station.run(for: .seconds(135))
        let (places, gaps) = (outcome.healed.frames.compactMap(\.place), outcome.healed.gaps.count)
        let breaks = zip(places, places.dropFirst()).filter { $1 != $0 + 1 }.map { $1 - $0 - 1 }
        // Four seconds of frames of 24 ms, less those that the server begins earlier because it sends whole blocks.
        let found = outcome.heard.found.map { "\($0.length) \($0.continuesBefore) \($0.isContinuedAfter)" }
        #expect(breaks.count == 1 && (162...168).contains(breaks.first ?? 0), "\(found)")
        #expect(gaps == 1)
    }

    @Test("The audio of another encoder is not put in")
    func otherEncoder() throws {
        let other = Broadcast([.music(.seconds(500))], MPEGShape(192, sampleRate: 48_000))
        var relay: Relay?
        let station = Self.station { reactor in
            let made = Relay(of: other, depth: .seconds(77), in: reactor)
            relay = made
            return ["nas.test:8000": made.script]
        }
        let outcome = station.run(for: .seconds(300))
        #expect(outcome.heard.found.isEmpty && outcome.heard.gaps.count == 1)
        #expect(!outcome.heard.notices.contains { if case .hasNothingToHeal = $0 { true } else { false } })
        // Two requests for each of six rounds.
        let count = relay?.requests.value.count ?? 0
        #expect((2...12).contains(count), "\(count)")
        #expect(station.origin.transfersUnderWay == 0)
    }

    @Test("A server that is neither is named once, even if it has the programme, and the next address is asked")
    func otherServer() throws {
        let station = Self.station(healing: ["http://a:secret@cast.test/live", "http://page.test/", Self.healing]) {
            [
                "cast.test": LiveScript(.stream(LiveStream(Self.programme)), onAir: Self.onAir),
                "page.test": LiveScript(.text("<!DOCTYPE html><html><body>Hello</body></html>", type: "text/html")),
                "nas.test:8000": Relay(of: Self.programme, depth: .seconds(77), in: $0).script,
            ]
        }
        let outcome = station.run(for: .seconds(160))
        let named = outcome.heard.notices.compactMap {
            if case .hasNothingToHeal(let url) = $0 { url } else { nil }
        }
        #expect(named.count == 2 && named.last == "http://page.test/", "\(named)")
        #expect(!named.contains { $0.contains("secret") })
        #expect(outcome.isRecordedWhole)
        // No instant was asked for at a server that could not know what that means.
        let targets = station.requests.filter { $0.contains("from=") }
        #expect(targets.allSatisfy { $0.hasPrefix("nas.test:8000/fip?from=") } && targets.count == 1)
    }

    @Test(
        "A relay that says nonsense, claims to be one, or never answers costs no more than its time", arguments: 0..<5)
    func hostile(number: Int) throws {
        let noise = [UInt8](repeating: 0xFF, count: 3_000_000)
        let dated: KeyValuePairs = [AirTimeField.name: "2026-11-21T12:22:55.000Z", "Content-Type": "audio/mpeg"]
        let answers: [LiveScript.Answer] = [
            .response(LiveHead(200, "OK", dated), body: noise),
            .response(LiveHead(200, "OK", [AirTimeField.name: "9999-99-99", "Content-Type": "audio/mpeg"])),
            .response(LiveHead(404, "Not Found", dated)), .silence, .response(LiveHead(200, "OK", dated)),
        ]
        let station = Self.station { _ in
            ["nas.test:8000": LiveScript { $0.target.contains("from=") ? answers[number] : answers[4] }]
        }
        let outcome = station.run(for: .seconds(320))
        #expect(outcome.heard.found.isEmpty && station.origin.transfersUnderWay == 0)
        #expect(station.requests.count < 60)
    }

    @Test(
        "An instant is added to the query of an address",
        arguments: [
            ("http://nas:8000/fip", "http://nas:8000/fip?from="), ("http://nas/fip?a=b", "http://nas/fip?a=b&from="),
            ("http://nas/fip?#top", "http://nas/fip?&from="),
        ])
    func addresses(address: String, beginning: String) {
        let instant = WallInstant(nanoseconds: 1_790_000_000_250_000_000)
        #expect(RelayedPast.address(address, from: instant) == beginning + "2026-09-21T14:13:20.250Z")
    }

    @Test("When the first frame was on air is said in milliseconds, and lies within that frame")
    func field() {
        for nanoseconds in [0, 1, 999_999, 1_000_000, 1_790_000_000_123_456_789] as [Int64] {
            let instant = WallInstant(nanoseconds: nanoseconds)
            let read = AirTimeField.instant(AirTimeField.value(instant))
            let late = read.map { $0 - instant } ?? .seconds(1)
            #expect(late >= .zero && late < .milliseconds(1))
        }
        for text in ["", "now", "-5s", "1790000000", "2026-11-21"] { #expect(AirTimeField.instant(text) == nil) }
    }
}

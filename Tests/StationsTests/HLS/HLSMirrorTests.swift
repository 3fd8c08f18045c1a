// SPDX-License-Identifier: MIT

import EventLoopTesting
import Instants
import RadioCore
import Stations
import TestSupport
import Testing

struct HLSMirrorTests {
    private static let programme = Broadcast([.music(.seconds(400))], MPEGShape(sampleRate: 48_000))
    private static let hls = HLSScript(HLSRendition(programme, window: 12)).with { $0.onAir = .seconds(60) }

    /// A station in HLS and one without segments that have the same programme.
    private static func run(_ hls: HLSScript, _ icy: LiveScript, urls: [String]) -> VirtualStation.Outcome {
        let reactor = ManualReactor()
        let servers = ["hls.test": VirtualHLS(hls, in: reactor).live, "icy.test": icy]
        let station = VirtualStation(
            hosts: servers, hearing: HeardFrames(of: programme), urls: urls, isPatient: true, reactor: reactor)
        return station.run(for: .seconds(150))
    }

    @Test("A mirror without segments takes over from HLS, and loses nothing")
    func awayFromSegments() {
        let dead = Self.hls.with { $0.faults = [.everything(during: .seconds(100)..<(.seconds(900)), .status(404))] }
        let icy = LiveScript(.stream(LiveStream(Self.programme, burst: 480_000)), onAir: .seconds(60))
        let outcome = Self.run(dead, icy, urls: ["http://hls.test/live.m3u8", "http://icy.test/live"])
        let (isWhole, report) = (outcome.isWhole, outcome.report.description)
        #expect(isWhole, "\(report)")
        #expect(outcome.report.places.count > 140 * 42)
    }

    @Test("HLS takes over from a mirror without segments, and loses nothing")
    func toSegments() {
        let icy = LiveScript(
            .stream(LiveStream(Self.programme)), absences: [.init(.seconds(40), for: .seconds(900), .gone)],
            onAir: .seconds(60))
        let outcome = Self.run(Self.hls, icy, urls: ["http://icy.test/live", "http://hls.test/live.m3u8"])
        let (isWhole, report) = (outcome.isWhole, outcome.report.description)
        #expect(isWhole, "\(report)")
        #expect(outcome.report.places.count > 140 * 42)
    }

    @Test("A mirror takes over if the segments fail and the lists go on, from the start or later", arguments: [0, 100])
    func deadSegments(from second: Int) {
        var mirror = HLSRendition(
            Self.programme, runs: [HLSRun { ($0.firstNumber, $0.name) = (90_000, "m") }], window: 12)
        mirror.delay = .milliseconds(500)
        let dead = Self.hls.with {
            $0.faults = [HLSFault(.status(404)) { $0.segment != nil && $0.time >= .seconds(second) }]
        }
        let scripts = [
            ("hls.test", dead), ("mirror.test", HLSScript(mirror).with { $0.onAir = .seconds(60) }),
        ]
        let reactor = ManualReactor()
        let servers = scripts.map { ($0.0, VirtualHLS($0.1, in: reactor).live) }
        let station = VirtualStation(
            hosts: Dictionary(uniqueKeysWithValues: servers), hearing: HeardFrames(of: Self.programme),
            urls: scripts.map { "http://\($0.0)/live.m3u8" }, isPatient: true, reactor: reactor)
        let outcome = station.run(for: .seconds(150))
        let (isWhole, report) = (outcome.isWhole, outcome.report.description)
        #expect(isWhole, "\(report)")
        #expect(outcome.report.places.count > 140 * 42, "\(report)")
    }

    @Test("A list of another list leads to its variant, and titles come with the segments")
    func variants() throws {
        var rendition = HLSRendition(Self.programme, window: 12)
        rendition.titles = [(.zero, "Bach - Air"), (.seconds(90), "title=\"So What\",artist=\"Miles Davis\"")]
        let script = HLSScript([
            HLSVariant("low", HLSRendition(Self.programme.leavingOut(0..<1)), attributes: "BANDWIDTH=64000"),
            HLSVariant("high", rendition, attributes: "BANDWIDTH=128000"),
        ]).with { $0.onAir = .seconds(60) }
        let hls = VirtualHLSStation(script, path: "/master.m3u8", of: Self.programme)
        let outcome = hls.run(for: .seconds(60))
        let (isWhole, report) = (outcome.isWhole, outcome.report.description)
        #expect(isWhole, "\(report)")
        #expect(outcome.heard.titles.map(\.text) == ["Bach - Air", "Miles Davis - So What"])
        let requests = hls.servers[0].record.entries.map(\.target)
        #expect(!requests.contains { $0.hasPrefix("/low/") } && requests.count { $0 == "/master.m3u8" } == 1)
    }

    @Test("A request that hangs costs listeners nothing: another one is sent beside it")
    func hangs() {
        let script = HLSScript(
            HLSRendition(Self.programme, window: 12),
            faults: [.segments({ $0.number % 10 == 0 }, first: 1, .late(.seconds(60)))])
        let outcome = VirtualHLSStation(script, of: Self.programme, isPatient: false).run(for: .seconds(100))
        let (isWhole, report) = (outcome.isWhole, outcome.report.description)
        #expect(isWhole, "\(report)")
    }
}

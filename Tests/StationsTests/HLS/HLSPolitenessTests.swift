// SPDX-License-Identifier: MIT

import EventLoopTesting
import Instants
import RadioCore
import Stations
import TestSupport
import TestTools
import Testing

/// How servers of HLS are treated that state wishes.
struct HLSPolitenessTests {
    private static let programme = VirtualHLSStation.programme

    @Test("Nothing is asked for before a refused segment may be, and recordings lose nothing", arguments: [429, 503])
    func segmentHold(status: Int) throws {
        let script = HLSScript(
            HLSRendition(Self.programme, window: 60),
            faults: [.segments({ $0.number == 80 }, first: 2, .status(status, wait: 9))])
        let hls = VirtualHLSStation(script)
        let outcome = hls.run(for: .seconds(80))
        let (isWhole, report) = (outcome.isWhole, outcome.report.description)
        #expect(isWhole && outcome.heard.frames > 2_000, "\(report)")
        let times = hls.servers[0].record.entries.filter { $0.asked.segment?.number == 80 }.map(\.asked.time)
        try #require(times.count == 3, "\(times)")
        for (time, next) in zip(times, times.dropFirst()) {
            #expect((Duration.seconds(9)...Duration.seconds(11)).contains(next - time), "\(times)")
        }
    }

    @Test("A list is not asked for before it may be, even if segments are missing meanwhile", arguments: [429, 503])
    func listHold(status: Int) throws {
        let refused = Duration.seconds(100)..<Duration.seconds(101.5)
        let script = HLSScript(
            HLSRendition(Self.programme, window: 60),
            faults: [
                .list(during: refused, .status(status, wait: 12)),
                .segments({ (90...110).contains($0.number) }, first: 3, .status(404)),
            ])
        let hls = VirtualHLSStation(script)
        let outcome = hls.run(for: .seconds(120))
        let (isWhole, report) = (outcome.isWhole, outcome.report.description)
        #expect(isWhole && outcome.heard.frames > 4_000, "\(report)")
        let times = hls.servers[0].record.entries.filter(\.asked.isList).map(\.asked.time)
        let first = try #require(times.first { refused.contains($0) })
        let next = try #require(times.first { $0 > first })
        #expect((Duration.seconds(12)...Duration.seconds(14)).contains(next - first), "\(next - first)")
    }

    @Test("Retry-After of an hour is not believed") func longHold() {
        let script = HLSScript(
            HLSRendition(Self.programme, window: 60),
            faults: [.segments({ $0.number == 80 }, first: 1, .status(503, wait: 3_600))])
        let hls = VirtualHLSStation(script, isPatient: false)
        let outcome = hls.run(for: .seconds(100))
        let lengths = outcome.heard.gaps.map(\.length)
        #expect(lengths.count == 1 && outcome.heard.frames > 3_000, "\(lengths)")
    }

    @Test("Cookies of a list go back to its own site, and to no other") func cookies() {
        let reactor = ManualReactor()
        var rendition = HLSRendition(Self.programme, window: 12)
        rendition.prefix = "http://edge.test/a/"
        let gate = HLSScript.Gate { $0.usesCookie = true }
        let lists = VirtualHLS(HLSScript(rendition).with { $0.gate = gate }, in: reactor)
        let edge = VirtualHLS(HLSScript(HLSRendition(Self.programme, window: 12)), in: reactor)
        let (own, others) = (Watched([String?]()), Watched([String?]()))
        let station = VirtualStation(
            hosts: ["radio.test": Self.noting(own, lists.live), "edge.test": Self.noting(others, edge.live)],
            hearing: HeardFrames(of: Self.programme), urls: ["http://radio.test/station.m3u8"], isPatient: true,
            reactor: reactor)
        let outcome = station.run(for: .seconds(40))
        let (isWhole, report) = (outcome.isWhole, outcome.report.description)
        #expect(isWhole && outcome.heard.frames > 1_000, "\(report)")
        let (sent, told) = (own.value, others.value)
        #expect(sent.count > 10 && sent.dropFirst().allSatisfy { $0?.hasPrefix("token=") == true }, "\(sent)")
        #expect(told.count > 10 && told.allSatisfy { $0 == nil }, "\(told)")
    }

    /// A server that notes the cookies that come with requests.
    private static func noting(_ cookies: Watched<[String?]>, _ script: LiveScript) -> LiveScript {
        LiveScript(absences: script.absences, onAir: script.onAir) { visit in
            cookies.change { $0.append(visit.fields.first { $0.name == "cookie" }?.value) }
            return script.answer(visit)
        }
    }
}

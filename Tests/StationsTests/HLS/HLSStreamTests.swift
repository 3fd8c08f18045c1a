// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import Stations
import TestSupport
import Testing

struct HLSStreamTests {
    /// What goes wrong at a station while all of its audio can be had.
    struct Trouble: Sendable, CustomTestStringConvertible {
        let name: String
        let script: HLSScript
        var path = "/live.m3u8"
        var testDescription: String { name }

        init(_ name: String, _ script: HLSScript, path: String = "/live.m3u8") {
            (self.name, self.script, self.path) = (name, script, path)
        }
    }

    static func rendition(_ change: (inout HLSRun) -> Void = { _ in }) -> HLSRendition {
        HLSRendition(VirtualHLSStation.programme, runs: [HLSRun(change)], window: 12)
    }

    /// Twenty times of trouble.
    static let spans: [Range<Duration>] = (7...26).map { .seconds(10 * $0)..<(.seconds(10 * $0 + 3)) }

    static func script(_ faults: [HLSFault] = [], _ change: (inout HLSRun) -> Void = { _ in }) -> HLSScript {
        HLSScript(rendition(change), faults: faults)
    }

    /// Faults of every tenth segment.
    static func tenth(first count: Int = .max, _ effect: HLSFault.Effect) -> [HLSFault] {
        [HLSFault.segments({ $0.number % 10 == 0 }, first: count, effect)]
    }

    static func lists(_ effect: (Range<Duration>) -> HLSFault.Effect) -> [HLSFault] {
        spans.map { HLSFault.list(during: $0, effect($0)) }
    }

    static let dying = script().with { script in script.gate = .init { $0.deaths = spans.map(\.lowerBound) } }
    static let encrypted = HLSScript(rendition().with { $0.key = HLSRendition.Key(Array(0..<16)) })
    static let away: [HLSFault] = spans.map { HLSFault.everything(during: $0, .status(503)) }

    static let troubles: [Trouble] = [
        Trouble("none", script()),
        Trouble("frames straddle segments", script { $0.isAligned = false }),
        Trouble("no dates", script { $0.dates = HLSDates(.none) }),
        Trouble("segments are missing at first", script(tenth(first: 3, .status(404)))),
        Trouble("segments are refused at first", script(tenth(first: 2, .status(503)))),
        Trouble("segments are cut", script(tenth(first: 2, .cut(part: 0.6, isStated: true)))),
        Trouble("segments take three times as long as they play", script(tenth(.slow(.seconds(3))))),
        Trouble("edges are behind", script(lists { _ in .stale(.seconds(4)) })),
        Trouble("lists stand still", script(lists { .frozen(at: $0.lowerBound) })),
        Trouble("tokens die", dying, path: "/station.m3u8"),
        Trouble("nothing works for a while", script(away)),
        Trouble("encrypted", encrypted),
    ]

    @Test("All audio that can be had comes once, in order, and dated", arguments: troubles)
    func whole(trouble: Trouble) throws {
        let hls = VirtualHLSStation(trouble.script, path: trouble.path)
        let outcome = hls.run(for: .seconds(250))
        let stretch = try #require(outcome.report.exactStretch, "\(outcome)")
        #expect(outcome.heard.gaps.isEmpty, "\(outcome)")
        #expect(stretch.count > 240 * 48_000 / 1152, "\(outcome)")
        #expect(hls.dateError(outcome) < (trouble.name == "no dates" ? .seconds(2) : .milliseconds(50)))
        print(trouble.name, hls.servers[0].record.requestsPerSegment, hls.dateError(outcome))
    }
}

extension HLSRendition {
    func with(_ change: (inout HLSRendition) -> Void) -> HLSRendition {
        var copy = self
        change(&copy)
        return copy
    }
}

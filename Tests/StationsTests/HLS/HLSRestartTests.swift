// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import Stations
import TestSupport
import Testing

struct HLSRestartTests {
    private static let programme = Broadcast([.music(.seconds(140))], MPEGShape(sampleRate: 48_000))

    @Test("An encoder that restarts without dates, under the same names and numbers, costs and repeats no frame")
    func sameNames() throws {
        let starts = [Duration.zero] + (0..<6).map { .seconds(75) + .seconds(8) * $0 }
        let runs = starts.map { start in
            HLSRun { ($0.takesOver, $0.firstNumber, $0.dates) = (start, 5_000, HLSDates(.none)) }
        }
        let script = HLSScript(HLSRendition(Self.programme, .packed, runs: runs, window: 12))
        let hls = VirtualHLSStation(script, of: Self.programme)
        let end = Duration.seconds(130)
        let outcome = hls.run(for: end - script.onAir)
        let heard = outcome.report.places.compactMap(\.self)
        let first = try #require(heard.first, "\(outcome)")
        let due = script.variants[0].rendition.places(listedIn: script.onAir..<(end - .seconds(6)))
        let lost = Set(due.filter { $0 >= first }).subtracting(heard).count
        #expect(lost == 0 && outcome.report.duplicated.isEmpty && outcome.report.disorders == 0, "\(outcome)")
        // Without dates, each restart makes a gap of unknown length, because nothing shows that no audio is missing.
        let gaps = outcome.heard.gaps.map(\.length)
        #expect(gaps.count <= 6 && gaps.allSatisfy { $0 == nil }, "\(gaps)")
        #expect(hls.dateError(outcome) <= .seconds(3), "\(hls.dateError(outcome))")
    }

    @Test("If the token in the addresses of keys dies, those of a new list are used for segments that wait")
    func tokensOfKeys() throws {
        var rendition = HLSRendition(Self.programme, .packed, window: 12)
        rendition.key = .init([UInt8](0..<16))
        // The token dies while no key can be had.
        let busy = HLSFault(.status(503)) { asked in
            if case .key = asked.subject { (.seconds(75)..<(.seconds(77))).contains(asked.time) } else { false }
        }
        var script = HLSScript(rendition, faults: [busy])
        script.gate = .init { ($0.deaths, $0.guardsSegments) = ([.seconds(75), .milliseconds(76_500)], true) }
        let hls = VirtualHLSStation(script, path: "/station.m3u8", of: Self.programme)
        let outcome = hls.run(for: .seconds(100) - script.onAir)
        let (isWhole, last, report) = (outcome.isWhole, outcome.report.last ?? 0, outcome.report.description)
        #expect(isWhole && Self.programme.frames[last].start > .seconds(93), "\(report)")
    }
}

// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import Stations
import TestSupport
import Testing

struct HLSOutageTests {
    private static let programme = Broadcast([.music(.seconds(500))], MPEGShape(sampleRate: 48_000))

    @Test("An outage beyond the window and beyond the time to give up is one gap, with its length to a frame")
    func longOutage() throws {
        let away = HLSFault.everything(during: .seconds(90)..<(.seconds(390)), .status(503))
        let hls = VirtualHLSStation(
            HLSScript(HLSRendition(Self.programme, window: 60), faults: [away]), of: Self.programme
        ) { $0.giveUp = .seconds(60) }
        let outcome = hls.run(for: .seconds(380))
        let length = try #require(outcome.heard.gaps.first?.length)
        #expect(outcome.heard.gaps.count == 1)
        let lost = Duration.samples(Int64(outcome.report.lost.count) * 1152, at: 48_000)
        #expect(!outcome.report.lost.isEmpty && (length - lost).magnitude <= .milliseconds(24), "\(length), \(lost)")
        #expect((outcome.report.last ?? 0) > 420 * 48_000 / 1152)
    }

    @Test(
        "A segment that is missing right after the start is a gap with its length",
        arguments: [
            HLSRendition.Packaging.packed, .transportStream,
        ])
    func afterStart(packaging: HLSRendition.Packaging) throws {
        let onAir = Duration.seconds(75)
        let gone = HLSFault.segments(
            { ($0.start - onAir + .milliseconds(1_500)).magnitude < .milliseconds(500) }, .status(404))
        let script = HLSScript(HLSRendition(Self.programme, packaging, window: 12), faults: [gone])
            .with { $0.onAir = onAir }
        let outcome = VirtualHLSStation(script, of: Self.programme).run(for: .seconds(60))
        let lost = Duration.samples(Int64(outcome.report.lost.count) * 1152, at: 48_000)
        let gaps = outcome.heard.gaps.map(\.length)
        #expect(gaps.count == 1 && (lost - .seconds(1)).magnitude < .milliseconds(30), "\(gaps), \(lost)")
        #expect((try #require(gaps.first ?? nil) - lost).magnitude <= .milliseconds(24), "\(gaps), \(lost)")
    }

    @Test("An encoder that restarts with other dates makes a gap that the clock allows", arguments: [-60, 0, 60])
    func otherDates(seconds: Int) throws {
        let restart = HLSRun { run in
            (run.takesOver, run.cutsFrom, run.name) = (.seconds(108), .seconds(108), "b")
            run.dates.offset = .seconds(seconds)
        }
        let script = HLSScript(
            HLSRendition(Self.programme, runs: [HLSRun { $0.firstNumber = 900 }, restart]),
            faults: [.everything(during: .seconds(100)..<(.seconds(112)), .status(503))])
        let outcome = VirtualHLSStation(script, of: Self.programme).run(for: .seconds(150) - script.onAir)
        let lost = Duration.samples(Int64(outcome.report.lost.count) * 1152, at: 48_000)
        let lengths = outcome.heard.gaps.map(\.length)
        let isExact = lengths.first.flatMap { $0 }.map { ($0 - lost).magnitude <= .milliseconds(24) } ?? false
        #expect(lost > .seconds(5))
        #expect(lengths.count == 1 && (seconds == 0 ? isExact : lengths == [nil]), "\(lengths), \(lost)")
        #expect((outcome.report.last ?? 0) > 140 * 48_000 / 1152)
    }

    @Test("What waits behind a missing segment is delivered when the station is stopped") func stopped() throws {
        let gone = HLSFault.segments({ ($0.start - .seconds(100)).magnitude < .milliseconds(500) }, .status(404))
        let script = HLSScript(HLSRendition(Self.programme, window: 60), faults: [gone])
        let outcome = VirtualHLSStation(script, of: Self.programme).run(for: .seconds(125) - script.onAir)
        let lost = Duration.samples(Int64(outcome.report.lost.count) * 1152, at: 48_000)
        let gaps = outcome.heard.gaps.map(\.length)
        let last = outcome.report.last ?? 0
        #expect(gaps.count == 1 && (lost - .seconds(1)).magnitude < .milliseconds(30), "\(gaps), \(lost)")
        #expect((try #require(gaps.first ?? nil) - lost).magnitude <= .milliseconds(24))
        #expect(last > 122 * 48_000 / 1152, "\(last)")
    }
}

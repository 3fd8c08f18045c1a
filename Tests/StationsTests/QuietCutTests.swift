// SPDX-License-Identifier: MIT

import EventLoop
import Instants
import RadioCore
import Stations
import TestSupport
import Testing

/// C6: stretches whose frames do not tell where they belong, with many cuts in them.
struct QuietCutTests {
    /// Cuts each connection some 20 s after it was opened. The server is then unavailable for up to 2 s.
    private static func script(_ programme: Broadcast, seed: UInt64, length: Duration) -> LiveScript {
        var random = SplitMix64(seed: seed)
        var absences: [LiveScript.Absence] = []
        var time = Duration.seconds(15)
        while time < length - .seconds(15) {
            absences.append(.init(time, for: .milliseconds(Int.random(in: 10..<2_000, using: &random)), .gone))
            time += .milliseconds(Int.random(in: 15_000..<25_000, using: &random))
        }
        return LiveScript(.stream(LiveStream(programme)), absences: absences)
    }

    @Test("C6: Five minutes of digital silence with cuts have as many frames as air time", arguments: [44_100, 48_000])
    func silence(sampleRate: Int) throws {
        let programme = Broadcast(
            [.music(.seconds(60)), .silence(.seconds(300)), .music(.seconds(60))],
            MPEGShape(128, sampleRate: sampleRate))
        let heard = HeardFrames(of: programme)
        for seed in UInt64(1)...3 {
            let script = Self.script(programme, seed: seed, length: .seconds(370))
            let outcome = VirtualStation(script, hearing: heard, seed: seed).run(for: .seconds(370))
            #expect(outcome.heard.gaps.isEmpty && outcome.report.foreign == 0, "seed \(seed): \(outcome)")
            #expect(outcome.snapshot.reconnects >= 14)
            // Silent frames are all alike. So it does not show which of them are missing or repeated, but it does show
            // how many.
            let doubled = Duration.samples(
                Int64(outcome.report.duplicated.count - outcome.report.lost.count) * 1_152, at: sampleRate)
            #expect(doubled >= .zero && doubled <= .milliseconds(100), "seed \(seed): \(doubled), \(outcome)")
            if sampleRate == 44_100 { #expect(outcome.isWhole, "seed \(seed): \(outcome)") }
            // At 44.1 kHz the padding has a pattern, which tells the place. Otherwise only music tells the place, if
            // the burst reaches back to it.
            let first = try #require(outcome.report.first)
            for splice in outcome.heard.splices {
                let heardUntil = programme.frames[first + Int(splice.position.frames)].start
                let isInSilence = heardUntil > .seconds(65) && heardUntil < .seconds(360)
                let isByTime = sampleRate == 48_000 && isInSilence
                #expect(splice.method == (isByTime ? .time : .match), "seed \(seed), at \(heardUntil)")
            }
        }
    }

    @Test(
        "C6: A cut inside a pause makes a gap of what is missing, although the pause continues",
        arguments: [0, 16_000, 32_000])
    func pause(burst: Int) throws {
        // Silence at 44.1 kHz has a pattern of padding, which repeats every 1.28 s.
        let programme = Broadcast(
            [.music(.seconds(60)), .silence(.seconds(25)), .music(.seconds(60))], MPEGShape(128))
        let heard = HeardFrames(of: programme)
        for cut in [2.0, 3.1, 3.9, 4.4, 6.3] {
            for outage in [2.6, 3.3, 4.9, 7.4] {
                let script = LiveScript(
                    .stream(LiveStream(programme, burst: burst)),
                    absences: [.init(.seconds(10 + cut), for: .seconds(outage), .gone)], onAir: .seconds(50))
                let outcome = VirtualStation(script, hearing: heard).run(for: .seconds(60))
                let lost = Duration.samples(
                    Int64(outcome.report.lost.count - outcome.report.duplicated.count) * 1_152, at: 44_100)
                let told = outcome.heard.gaps.compactMap(\.length).reduce(.zero, +)
                #expect(lost - told <= .seconds(1.6), "cut \(cut), away \(outage): lost \(lost), \(outcome)")
            }
        }
    }

    @Test("C6: Every turn of a loop of 27 s is kept as programme despite cuts")
    func loop() {
        let programme = Broadcast([.music(.seconds(45)), .jingle(.seconds(27), times: 8), .music(.seconds(60))])
        let heard = HeardFrames(of: programme)
        for seed in UInt64(1)...4 {
            let script = Self.script(programme, seed: seed, length: .seconds(260))
            let outcome = VirtualStation(script, hearing: heard, seed: seed).run(for: .seconds(260))
            #expect(outcome.isWhole, "seed \(seed): \(outcome)")
            #expect(outcome.snapshot.reconnects >= 10)
        }
    }
}

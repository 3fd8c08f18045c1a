// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import TestSupport
import Testing

@Suite struct SplicerTests {
    /// MPEG 1 layer III at 44.1 kHz.
    private static let cd = Duration.nanoseconds(26_122_448)
    /// At 48 kHz.
    private static let dat = Duration.milliseconds(24)

    private static func music(_ count: Int, seed: UInt64 = 7) -> [UInt64] {
        var random = SplitMix64(seed: seed)
        return (0..<count).map { _ in random.next() }
    }

    /// What an encoder of constant bit rate makes of silence at 44.1 kHz: two kinds of frames, 47 padded of 49.
    private static func paddedSilence(_ count: Int) -> [UInt64] {
        (0..<count).map { $0 * 47 / 49 == ($0 + 1) * 47 / 49 ? 1 : 2 }
    }

    @Test("C7: random cuts, joined where the burst covers them and a gap where it does not")
    func randomCuts() {
        let station = SplicedStation(Self.music(9_000), frameTime: Self.cd)
        var random = SplitMix64(seed: 1)
        for _ in 0..<100 {
            let cut = Int.random(in: 100..<4_500, using: &random)
            let outage = Duration.milliseconds(Int.random(in: 0..<20_000, using: &random))
            let burst = [0, 20, 157, 1_255].randomElement(using: &random) ?? 0
            let heard = station.heard(max(0, cut - 3_500)..<cut)
            let connect = station.edge(ofFrame: cut) + outage
            let outcome = station.connect(after: heard, at: connect, burst: burst)
            let first = station.aired(at: connect) - burst
            if first <= cut - 1 {
                #expect(outcome.first == cut, "cut \(cut), outage \(outage), burst \(burst): \(outcome)")
                if case .join(_, .match) = outcome.verdict { continue }
                Issue.record("not by match: \(outcome)")
            } else {
                guard case .gap(let length?) = outcome.verdict else {
                    Issue.record("cut \(cut), outage \(outage), burst \(burst): \(outcome)")
                    continue
                }
                let missing = Self.cd * (first - cut)
                #expect(outcome.first == first)
                #expect(abs((length - missing).inMilliseconds) <= 100, "\(length) of \(missing)")
            }
        }
    }

    @Test("C6: silence across the cut: by the pattern of padding at 44.1 kHz, by time at 48 kHz")
    func silence() {
        for (pattern, time) in [(Self.paddedSilence(3_000), Self.cd), ([UInt64](repeating: 3, count: 3_000), Self.dat)]
        {
            let quiet = Int(Duration.seconds(10) / time)
            for shift in stride(from: 5, to: quiet - 5, by: 61) {
                let cut = 2_000
                let begin = cut - shift
                let frames = Self.music(begin) + pattern[begin..<begin + quiet] + Self.music(2_000, seed: 9)
                let station = SplicedStation(Array(frames), frameTime: time)
                let heard = station.heard(0..<cut)
                for outage in [Duration.milliseconds(20), .milliseconds(700), .seconds(3)] {
                    let outcome = station.connect(after: heard, at: heard.tail + outage, burst: Int(.seconds(4) / time))
                    let first = outcome.first ?? 0
                    if time == Self.cd {
                        #expect(first == cut, "quiet since \(shift), outage \(outage): \(outcome)")
                    } else {
                        #expect(first <= cut, "quiet since \(shift), outage \(outage): \(outcome)")
                        #expect(time * (cut - first) <= .milliseconds(100), "\(shift), \(outage): \(outcome)")
                    }
                }
            }
        }
    }

    @Test("C6: silence in the smallest of frames, all alike or by turns: by time", arguments: [1, 2])
    func tinyFrames(kinds: Int) {
        let time = Duration.microseconds(2_900)
        let (cut, quiet) = (4_000, Int(Duration.seconds(10) / time))
        for shift in [100, 1_500, quiet - 100] {
            let begin = cut - shift
            let frames = Self.music(begin) + (0..<quiet).map { UInt64($0 % kinds) } + Self.music(4_000, seed: 9)
            let station = SplicedStation(frames, frameTime: time)
            let heard = station.heard(0..<cut)
            for outage in [Duration.milliseconds(20), .seconds(3)] {
                let outcome = station.connect(
                    after: heard, at: heard.tail + outage, burst: Int(.seconds(4) / time), block: 20)
                let first = outcome.first ?? 0
                #expect(first <= cut, "quiet since \(shift), outage \(outage): \(outcome)")
                #expect(time * (cut - first) <= .milliseconds(100), "\(shift), \(outage): \(outcome)")
            }
        }
    }

    @Test("C6: in a loop the time tells which turn it is, and without an overlap all is kept")
    func loop() {
        let turn = Self.music(Int(.seconds(27) / Self.cd))
        let station = SplicedStation(Array((0..<8).flatMap { _ in turn }), frameTime: Self.cd)
        for cut in stride(from: 4_000, to: 5_000, by: 331) {
            let heard = station.heard(cut - 3_900..<cut)
            let covered = station.connect(after: heard, at: heard.tail + .seconds(3), burst: 157)
            #expect(covered.first == cut, "\(covered)")
            let uncovered = station.connect(after: heard, at: heard.tail + .seconds(12), burst: 157)
            #expect(uncovered.first == station.aired(at: heard.tail + .seconds(12)) - 157, "\(uncovered)")
        }
    }

    @Test("a jingle that comes ten times, cut inside the third")
    func jingle() {
        let jingle = Self.music(Int(.seconds(5) / Self.cd))
        let frames = Self.music(1_000) + (0..<10).flatMap { _ in jingle } + Self.music(1_000, seed: 3)
        let station = SplicedStation(frames, frameTime: Self.cd)
        for cut in stride(from: 1_000 + jingle.count * 2, to: 1_000 + jingle.count * 3, by: 37) {
            let heard = station.heard(0..<cut)
            for outage in [Duration.zero, .seconds(1), .seconds(3)] {
                let outcome = station.connect(after: heard, at: heard.tail + outage, burst: 157)
                #expect(outcome.first == cut, "cut \(cut), outage \(outage): \(outcome)")
            }
        }
    }

    @Test("A10: an edge half a minute behind is waited for, and one ahead is a gap")
    func edges() {
        let station = SplicedStation(Self.music(9_000), frameTime: Self.cd)
        let heard = station.heard(500..<4_000)
        let behind = station.connect(
            after: heard, at: heard.tail + .seconds(1), burst: 157, behind: .seconds(30))
        #expect(behind.first == 4_000)
        #expect(behind.at - heard.tail > .seconds(25))
        let ahead = station.connect(
            after: heard, at: heard.tail + .seconds(1), burst: 157, behind: .seconds(-20))
        #expect(ahead.first == station.aired(at: heard.tail + .seconds(21)) - 157)
        #expect(ahead.verdict == .gap(.zero))
    }

    @Test("a hedge takes over by a match only")
    func hedge() {
        let station = SplicedStation(Self.music(3_000), frameTime: Self.cd)
        let other = SplicedStation(Self.music(3_000, seed: 8), frameTime: Self.cd)
        let heard = station.heard(0..<1_000)
        let match = station.connect(after: heard, at: heard.tail + .seconds(2), burst: 157, mayGap: false)
        #expect(match.first == 1_000)
        let foreign = other.connect(
            after: heard, at: heard.tail + .seconds(2), burst: 157, mayGap: false, limit: .seconds(20))
        #expect(foreign.verdict == .hold)
    }

    @Test("a silence that was there before a gap, and goes on after it, is not watched for ever")
    func endlessSilence() {
        let silence = FrameMark(fingerprint: 1, nanoseconds: 26_122_448)
        var memory = FrameMemory()
        for _ in 0..<1_000 { memory.append(silence) }
        let start = MonotonicInstant(nanoseconds: 0)
        var watch = ProgrammeWatch(after: memory, now: start)
        for _ in 0..<100 { _ = watch.add(silence) }
        #expect(!watch.isOver(start + .seconds(91)))
        #expect(watch.isOver(start + .seconds(211)))
    }

    @Test("after an advert the programme is found where it was lost")
    func advert() {
        let station = SplicedStation(Self.music(3_000), frameTime: Self.cd)
        let heard = station.heard(0..<1_000)
        var watch = ProgrammeWatch(after: heard.memory, now: heard.tail)
        for mark in Self.music(700, seed: 4) {
            #expect(watch.add(FrameMark(fingerprint: mark, nanoseconds: 26_122_448)) == .hold(0))
        }
        for frame in 850..<999 {
            #expect(watch.add(station.marks[frame]) == .hold(frame - 849))
        }
        #expect(watch.add(station.marks[999]) == .returned(150))
    }
}

extension Duration {
    fileprivate var inMilliseconds: Int64 {
        components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
    }
}

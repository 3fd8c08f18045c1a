// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import TestSupport
import Testing

@Suite struct SplicerTests {
    /// The playing time of an MPEG 1 layer III frame at 44.1 kHz.
    private static let cd = Duration.nanoseconds(26_122_448)
    /// The playing time of an MPEG 1 layer III frame at 48 kHz.
    private static let dat = Duration.milliseconds(24)

    private static func music(_ count: Int, seed: UInt64 = 7) -> [UInt64] {
        var random = SplitMix64(seed: seed)
        return (0..<count).map { _ in random.next() }
    }

    /// Silence from an encoder with a constant bit rate at 44.1 kHz: two kinds of frames, 47 of 49 padded.
    private static func paddedSilence(_ count: Int) -> [UInt64] {
        (0..<count).map { $0 * 47 / 49 == ($0 + 1) * 47 / 49 ? 1 : 2 }
    }

    @Test("C7: A random cut is joined if the burst covers it, and becomes a gap if it does not")
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
                guard case .gap(_, let seam) = outcome.verdict, let length = seam.missing else {
                    Issue.record("cut \(cut), outage \(outage), burst \(burst): \(outcome)")
                    continue
                }
                let missing = Self.cd * (first - cut)
                #expect(outcome.first == first)
                #expect(abs((length - missing).inMilliseconds) <= 100, "\(length) of \(missing)")
            }
        }
    }

    @Test("C6: Silence across a cut is joined by its padding pattern at 44.1 kHz, and by time at 48 kHz")
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

    @Test("C6: Silence in the smallest frames, all equal or alternating, is joined by time", arguments: [1, 2])
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

    @Test("C6: In a loop, time decides which repetition is joined, and without an overlap all audio is kept")
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

    @Test("A cut inside the third of ten equal jingles is joined at the right frame")
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

    @Test("A10: An edge half a minute behind is waited for, and an edge ahead is a gap")
    func edges() {
        let station = SplicedStation(Self.music(9_000), frameTime: Self.cd)
        let heard = station.heard(500..<4_000)
        let behind = station.connect(after: heard, at: heard.tail + .seconds(1), burst: 157, behind: .seconds(30))
        #expect(behind.first == 4_000 && behind.at - heard.tail > .seconds(25))
        let ahead = station.connect(after: heard, at: heard.tail + .seconds(1), burst: 157, behind: .seconds(-20))
        #expect(ahead.first == station.aired(at: heard.tail + .seconds(21)) - 157)
        guard case .gap(0, let seam) = ahead.verdict else {
            Issue.record("\(ahead)")
            return
        }
        #expect(seam.missing == .zero && seam.repeats == nil)
    }

    @Test("A hedge takes over by a match only")
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

    @Test("After a gap, few frames of silence are held, and the watch ends early unless the programme returns")
    func endlessSilence() {
        let silence = FrameMark(fingerprint: 1, nanoseconds: 26_122_448)
        let station = SplicedStation(Self.music(1_000), frameTime: Self.cd)
        var memory = FrameMemory()
        for _ in 0..<1_000 { memory.append(silence) }
        for mark in station.marks { memory.append(mark) }
        let start = MonotonicInstant(nanoseconds: 0)
        var watch = ProgrammeWatch(after: memory, now: start)
        for _ in 0..<100 {
            guard case .hold(..<8) = watch.add(silence) else {
                Issue.record("a silence is held")
                return
            }
        }
        #expect(!watch.isOver(start + .seconds(89)) && watch.isOver(start + .seconds(91)))
        for mark in station.marks.prefix(20) { _ = watch.add(mark) }
        #expect(!watch.isOver(start + .seconds(91)) && watch.isOver(start + .seconds(211)))
    }

    @Test("No frame of an edge far behind is dropped, and the repetition by the station is reported at once")
    func repeats() {
        let station = SplicedStation(Self.music(9_000), frameTime: Self.cd)
        let heard = station.heard(500..<4_000)
        for behind in [33, 45, 75] {
            let outcome = station.connect(
                after: heard, at: heard.tail + .seconds(1), burst: 157, behind: .seconds(behind))
            guard case .gap(0, let seam) = outcome.verdict else {
                Issue.record("\(behind): \(outcome)")
                continue
            }
            #expect(abs(((seam.repeats ?? .zero) - .seconds(behind)).inMilliseconds) <= 200, "\(seam)")
            #expect(outcome.at - heard.tail < .seconds(4))
        }
    }

    @Test("C16: No frame of a repeating burst that exceeds the limit for held frames is dropped")
    func repeatsInALongBurst() {
        let station = SplicedStation(Self.music(9_000), frameTime: Self.cd)
        let heard = station.heard(500..<6_000)
        let outcome = station.connect(after: heard, at: heard.tail + .seconds(1), burst: 2_300, behind: .seconds(75))
        guard case .gap(0, let seam) = outcome.verdict else {
            Issue.record("\(outcome)")
            return
        }
        #expect(abs(((seam.repeats ?? .zero) - .seconds(75)).inMilliseconds) <= 200, "\(seam)")
    }

    @Test("A10: A server that is behind passes a hole in the delivered frames and is joined after it")
    func behindAHole() {
        let station = SplicedStation(Self.music(4_000), frameTime: Self.cd)
        let hole = 1_500..<1_660
        var memory = FrameMemory()
        for frame in 0..<2_000 where !hole.contains(frame) {
            if frame == hole.upperBound { memory.noteBreak(length: station.length(hole.count)) }
            memory.append(station.marks[frame])
        }
        let tail = station.edge(ofFrame: 2_000)
        var splicer = Splicer(after: .init(memory, tail: tail))
        var clock = EdgeClock()
        // The connection begins eighteen seconds late, before the hole, and delivers in real time.
        let first = 1_350
        for frame in first..<2_010 {
            splicer.add(station.marks[frame], bytes: 418)
            let now = tail + .milliseconds(500) + Self.cd * (frame - first)
            clock.arrived(upTo: station.length(frame - first + 1), now: now)
            let verdict = splicer.arrived(clock, at: now, mayGap: true)
            guard verdict != .hold else { continue }
            #expect(verdict == .join(drop: 2_000 - first, .match) && frame == 2_000, "\(frame): \(verdict)")
            return
        }
        Issue.record("nothing was decided")
    }

    @Test("A source that was silent for a minute behind a running server is joined without loss or repetition")
    func silentSource() {
        let station = SplicedStation(Self.music(4_000), frameTime: Self.cd)
        let heard = station.heard(0..<2_000)
        var splicer = Splicer(after: .init(heard.memory, tail: heard.tail))
        var clock = EdgeClock()
        var now = heard.tail + .seconds(60)
        var sent = 0
        func bring(_ frames: Range<Int>) -> Splicer.Verdict {
            for frame in frames { splicer.add(station.marks[frame], bytes: 418) }
            sent += frames.count
            clock.arrived(upTo: station.length(sent), now: now)
            return splicer.arrived(clock, at: now, mayGap: true)
        }
        #expect(bring(1_843..<2_000) == .hold)
        for _ in 0..<5 {
            now = now + .seconds(1)
            #expect(splicer.arrived(clock, at: now, mayGap: true) == .hold)
        }
        #expect(bring(2_000..<2_003) == .join(drop: 157, .match))
    }

    @Test("C17: Time alone drops no frame of another encoder: all are kept, and the gap says what may be there twice")
    func otherEncoder() {
        let station = SplicedStation(Self.music(4_000), frameTime: Self.cd)
        let mirror = SplicedStation(Self.music(4_000, seed: 8), frameTime: Self.cd)
        let heard = station.heard(500..<2_000)
        for burst in [20, 157, 306] {
            let connect = heard.tail + .seconds(1)
            let kept = mirror.connect(after: heard, at: connect, burst: burst)
            guard case .gap(0, let overlapping) = kept.verdict else {
                Issue.record("\(kept)")
                continue
            }
            let overlap = Self.cd * max(0, 2_000 - (station.aired(at: connect) - burst))
            #expect(abs((overlapping.overlap - overlap).inMilliseconds) <= 200, "\(overlapping)")
        }
    }

    @Test("A burst that begins before the first delivered frame is trimmed, and no frame is repeated")
    func growingBurst() {
        let station = SplicedStation(Self.music(9_000), frameTime: Self.cd)
        for (begin, burst) in [(3_700, 2_300), (3_950, 2_300), (2_000, 3_000)] {
            let heard = station.heard(begin..<4_000)
            let outcome = station.connect(after: heard, at: heard.tail + .milliseconds(300), burst: burst)
            #expect(outcome.first == 4_000, "heard from \(begin), burst \(burst): \(outcome)")
        }
    }

    @Test("A server that runs a tenth too fast and brings no delivered frames is not waited for")
    func fastPace() {
        let station = SplicedStation(Self.music(4_000), frameTime: Self.cd)
        let heard = station.heard(0..<1_000)
        var splicer = Splicer(after: .init(heard.memory, tail: heard.tail))
        var clock = EdgeClock()
        for (frame, mark) in Self.music(300, seed: 5).enumerated() {
            let now = heard.tail + .seconds(5) + Self.cd * frame / 1.1
            splicer.add(FrameMark(fingerprint: mark, nanoseconds: 26_122_448), bytes: 418)
            clock.arrived(upTo: Self.cd * (frame + 1), now: now)
            if case .gap = splicer.arrived(clock, at: now, mayGap: true) {
                #expect(now - heard.tail < .milliseconds(7_300))
                return
            }
        }
        Issue.record("it was waited for")
    }

    @Test("After an advert, the programme is found where it was lost")
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
        #expect(watch.add(station.marks[999]) == .returned(count: 1_000, heard: 150, new: 0))
    }
}

extension Duration {
    fileprivate var inMilliseconds: Int64 {
        components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
    }
}

// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import TestSupport

/// Checks the splicer with a hundred thousand pairs of connections. The first connection is cut anywhere, and the
/// second begins anywhere. If they overlap, the second must continue exactly where the first was cut; otherwise there
/// must be a gap as long as the audio that neither delivers.
struct SplicePairs: SoakCase {
    let name = "splices"
    let hazard = "C7"

    private static let pairs = 100_000
    private static let frameTime = Duration.nanoseconds(26_122_449)
    private static let start = MonotonicInstant(nanoseconds: 1_000_000_000_000)

    /// The content of a programme's frames.
    private enum SampleProgramme: CaseIterable {
        case music, loop, other
    }

    func run(_ plan: SoakPlan) throws -> String {
        var random = SplitMix64(seed: plan.seed)
        let music = (0..<4_000).map { _ in random.next() }
        let other = (0..<4_000).map { _ in random.next() }
        // Each repetition lasts eight seconds.
        let loop = (0..<4_000).map { music[$0 % 306] }
        var (joined, gaps) = (0, 0)
        for pair in 0..<Self.pairs {
            let programme: SampleProgramme = pair % 8 == 0 ? .other : pair % 4 == 1 ? .loop : .music
            let cut = Int.random(in: 1_500..<2_500, using: &random)
            // From less than two repetitions, a loop cannot be recognised as a loop.
            let begin = Int.random(in: cut - 1_400...cut - (programme == .loop ? 700 : 20), using: &random)
            let join = Int.random(in: cut - 400..<cut + 300, using: &random)
            // The burst reaches at least up to the cut, because the server has aired all frames before it.
            let burst = Int.random(in: max(0, cut - join)...max(0, cut - join) + 200, using: &random)
            let heard = programme == .loop ? loop : music
            let verdict = Self.connect(
                after: heard[begin..<cut], endingAt: cut, to: programme == .other ? other : heard, at: join,
                burst: burst)
            let what = "pair \(pair), \(programme): cut \(cut), memory from \(begin), join \(join), burst \(burst)"
            switch verdict {
            case .join(let drop, _):
                try Harm.unless(programme != .other && join + drop == cut, "\(what): continues at \(join + drop)")
                joined += 1
            case .gap(_, let seam):
                // In a loop, an overlap of fewer than eight frames proves nothing. These frames may be repeated after a
                // gap of length zero.
                let isTold = programme == .music ? join < cut : programme == .loop && join <= cut - 8
                try Harm.unless(!isTold, "\(what): a gap is reported")
                let missing = Self.frameTime * max(0, join - cut)
                let off = ((seam.missing ?? .seconds(-1)) - missing).inSeconds
                try Harm.unless(programme == .other || abs(off) <= 0.2, "\(what): the time is \(off) s off")
                gaps += 1
            case .hold, .heard:
                throw Harm("\(what): undecided")
            }
        }
        return "\(joined) joined, \(gaps) gaps"
    }

    /// The splicer's verdict on a connection that begins with frame `join`. The connection delivers a burst of `burst`
    /// frames, then live frames in groups of three.
    private static func connect(
        after heard: ArraySlice<UInt64>, endingAt cut: Int, to programme: [UInt64], at join: Int, burst: Int
    ) -> Splicer.Verdict {
        func mark(_ fingerprint: UInt64) -> FrameMark {
            FrameMark(fingerprint: fingerprint, nanoseconds: UInt32(clamping: frameTime.wholeNanoseconds))
        }
        func edge(_ frame: Int) -> MonotonicInstant { start + frameTime * frame }
        var memory = FrameMemory()
        for fingerprint in heard { memory.append(mark(fingerprint)) }
        var splicer = Splicer(after: .init(memory, tail: edge(cut)))
        var clock = EdgeClock()
        var (next, end) = (join, join + burst)
        while next < programme.count - 3 {
            let now = edge(max(end, cut))
            repeat {
                for fingerprint in programme[next..<min(next + 3, max(end, next + 1))] {
                    splicer.add(mark(fingerprint), bytes: 418)
                    next += 1
                }
                clock.arrived(upTo: frameTime * (next - join), now: now)
                let verdict = splicer.arrived(clock, at: now, mayGap: true)
                if verdict != .hold { return verdict }
            } while next < end
            end = next + 3
        }
        return splicer.conclude(clock)
    }
}

// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import RadioFormats
import Testing

struct HLSSeamsTests {
    private static let frame = Duration.samples(1_024, at: 44_100)

    /// The verdicts on segments of AAC at 44.1 kHz with time stamps of 90 kHz. `stamp` changes the ticks of a segment.
    private func verdicts(
        segments: Int, framesEach: Int = 258, from start: Int64 = 0, isNewLine: Bool = false, isBroken: Bool = false,
        most: Duration = .seconds(20), stamp: (Int, Int64) -> Int64 = { $1 }
    ) -> [HLSSeams.Verdict] {
        var seams = HLSSeams()
        var samples: Int64 = 0
        return (0..<segments).map { index in
            // As packagers do: truncated.
            let ticks = start + samples * 90_000 / 44_100
            let verdict = seams.judge(
                .mpeg(stamp(index, ticks)), frame: Self.frame, isBroken: isBroken, isNewLine: isNewLine, most: most)
            for _ in 0..<framesEach { seams.follow(1_024, at: 44_100) }
            samples += Int64(framesEach) * 1_024
            return verdict
        }
    }

    @Test(
        "Over an hour of AAC, rounding never looks like a gap, also where the count begins anew",
        arguments: [0, 1 << 33 - 90_000 * 1_000], [43, 258, 5_100])
    func hour(start: Int64, framesEach: Int) {
        let all = verdicts(segments: 155_000 / framesEach, framesEach: framesEach, from: start)
        #expect(all.allSatisfy { $0 == .follows }, "\(all.firstIndex { $0 != .follows } ?? -1)")
    }

    @Test("A jump is a gap of its length once three seams have fitted") func jump() throws {
        let early = verdicts(segments: 8) { $0 >= 2 ? $1 + 90_000 : $1 }
        #expect(early.allSatisfy { $0 == .follows })
        let late = verdicts(segments: 8) { $0 >= 5 ? $1 + 90_000 * 4 : $1 }
        guard case .missing(let length?) = late[5] else { throw Wrong(verdict: late[5]) }
        #expect((length - .seconds(4)).magnitude < .milliseconds(1))
        #expect(late.enumerated().allSatisfy { $0 == 5 || $1 == .follows })
    }

    private struct Wrong: Error { let verdict: HLSSeams.Verdict }

    @Test("A jump back is an overlap, unless the station says that a time line begins anew") func back() throws {
        let all = verdicts(segments: 8) { $0 >= 5 ? $1 - 90_000 * 4 : $1 }
        guard case .overlaps(let length) = all[5] else { throw Wrong(verdict: all[5]) }
        #expect((length - .seconds(4)).magnitude < .milliseconds(1))
        let anew = verdicts(segments: 8, isNewLine: true) { $0 >= 5 ? $1 - 90_000 * 4 : $1 }
        #expect(anew.allSatisfy { $0 == .follows })
    }

    @Test("A jump that is longer than the clock allows is not believed") func tooFar() {
        #expect(verdicts(segments: 8) { $0 >= 5 ? $1 + 90_000 * 7_200 : $1 }.allSatisfy { $0 == .follows })
        #expect(verdicts(segments: 8) { $0 >= 5 ? $1 - 90_000 * 7_200 : $1 }.allSatisfy { $0 == .follows })
    }

    @Test("A new time line without a jump, and times that mean nothing, are no gaps") func noGap() {
        #expect(verdicts(segments: 8, isNewLine: true).allSatisfy { $0 == .follows })
        #expect(
            verdicts(segments: 40) { index, _ in Int64(index * index % 7) * 1_000_000 }.allSatisfy { $0 == .follows })
    }

    @Test("What is known to be missing is missing, if the times do not show that nothing is") func broken() {
        var seams = HLSSeams()
        let first = seams.judge(.mpeg(0), frame: Self.frame, isBroken: true, isNewLine: false, most: .seconds(9))
        #expect(first == .missing(nil))
        seams.follow(44_100, at: 44_100)
        let next = seams.judge(.mpeg(90_000), frame: Self.frame, isBroken: true, isNewLine: false, most: .seconds(9))
        #expect(next == .follows)
    }

    @Test("Between lineages, the time line counts only where dates agree")
    func lineages() {
        func verdict(_ ticks: Int64, expected: Duration?, error: Duration = .seconds(1)) -> HLSSeams.Verdict {
            var seams = HLSSeams()
            for second in 0..<6 as Range<Int64> {
                _ = seams.judge(
                    .mpeg(second * 90_000), frame: Self.frame, isBroken: false, isNewLine: false, most: .seconds(9))
                seams.follow(44_100, at: 44_100)
            }
            return seams.judge(.mpeg(ticks), frame: Self.frame, expected: expected, error: error)
        }
        #expect(verdict(6 * 90_000, expected: .milliseconds(400)) == .follows)
        #expect(verdict(9 * 90_000, expected: .milliseconds(3_400)) == .missing(.seconds(3)))
        #expect(verdict(900 * 90_000, expected: .seconds(3)) == .missing(.seconds(3)))
        #expect(verdict(900 * 90_000, expected: .milliseconds(600)) == .missing(nil))
        #expect(verdict(6 * 90_000, expected: nil) == .missing(nil))
    }
}

// SPDX-License-Identifier: MIT

import Instants

/// One segment of a run.
package struct HLSSegment: Sendable {
    package let number: Int
    /// The places of the frames that begin in the segment.
    package let places: Range<Int>
    /// The range of the segment in ``Broadcast/bytes``. It may begin and end within a frame.
    package let bytes: Range<Int>
    /// The time at which its first frame starts, and the playing time of its frames.
    package let start: Duration
    package let length: Duration
    /// When it is listed: once its last frame has aired.
    package let listed: Duration
    /// Whether the station has left audio out before it.
    package let followsHole: Bool
}

extension HLSRun {
    /// Cuts a programme from a time on. A segment ends at the first frame at or after each multiple of the length, and
    /// where the programme has a hole.
    func segments(of programme: Broadcast, from begin: Duration) -> [HLSSegment] {
        let frames = programme.frames
        let first = frames.prefixCount { $0.start < begin }
        guard first < frames.count else { return [] }
        /// The segment of the time grid in which a frame starts. Starts are truncated, so they may be a little early.
        func cell(_ place: Int) -> Int64 {
            (frames[place].start - frames[first].start + .microseconds(2)).wholeNanoseconds
                / segmentLength.wholeNanoseconds
        }
        func isAfterHole(_ place: Int) -> Bool {
            guard place > first else { return false }
            let before = frames[place - 1]
            return frames[place].start - before.start > before.length + .milliseconds(1)
        }
        var segments: [HLSSegment] = []
        var from = first
        for place in (first + 1)..<max(first + 1, frames.count + 1) {
            let isEnd = place == frames.count || isAfterHole(place) || cell(place) != cell(place - 1)
            guard isEnd else { continue }
            let end = frames[place - 1].start + frames[place - 1].length
            let followsHole = isAfterHole(from)
            let begin = cut(before: from, isFirst: from == first || followsHole, of: programme)
            let finish = cut(before: place, isFirst: place == frames.count || isAfterHole(place), of: programme)
            segments.append(
                HLSSegment(
                    number: firstNumber + segments.count, places: from..<place,
                    bytes: begin..<finish,
                    start: frames[from].start, length: end - frames[from].start, listed: end,
                    followsHole: followsHole))
            from = place
        }
        return segments
    }

    /// The byte at which a segment begins: the first of a frame, or one in the middle of the frame before.
    private func cut(before place: Int, isFirst: Bool, of programme: Broadcast) -> Int {
        let start = place < programme.frames.count ? programme.frames[place].offset : programme.bytes.count
        return isAligned || isFirst ? start : start - programme.frames[place - 1].bytes.count / 2
    }

    /// The presentation time of a frame that starts at a time, in ticks of 90 kHz.
    func ticks(at start: Duration, from begin: Duration) -> Int64 {
        let nanoseconds = (start - begin).wholeNanoseconds
        return firstTime + (nanoseconds * 9 + 50_000) / 100_000
    }
}

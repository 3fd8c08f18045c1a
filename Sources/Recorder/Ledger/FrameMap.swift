// SPDX-License-Identifier: MIT

/// Which frames of a station are in the recording, so that a report about frames long gone finds its place. A value.
///
/// A recording without losses is a single run of frames; each loss begins another.
struct FrameMap {
    /// Frames of the station that follow each other, and are all in the recording.
    private struct Run {
        var first: Int64
        var count: Int64
        var end: Int64 { first + count }
    }

    private var runs: [Run] = []
    /// Recorded frames before those runs.
    private var earlier: Int64 = 0
    /// How many frames are in the recording.
    private(set) var count: Int64 = 0

    /// After a thousand losses the oldest runs are forgotten, except for their length.
    private static let mostRuns = 1_000

    /// The recording takes `count` frames, the first of which is the station's frame `first`.
    mutating func append(first: Int64, count: Int64) {
        self.count += count
        guard let last = runs.last, last.end == first else {
            if runs.count >= Self.mostRuns { earlier += runs.removeFirst().count }
            return runs.append(Run(first: first, count: count))
        }
        runs[runs.count - 1].count += count
    }

    /// How many recorded frames come before the station's frame: its position in the recording, if it is there.
    func recorded(before frame: Int64) -> Int64 {
        runs.reduce(earlier) { $0 + min(max(0, frame - $1.first), $1.count) }
    }

    /// Takes frames out of the recording again, by their positions in it.
    mutating func remove(_ range: Range<Int64>) {
        var position = earlier
        var kept: [Run] = []
        for run in runs {
            let gone = range.clamped(to: position..<position + run.count)
            let before = Run(first: run.first, count: gone.lowerBound - position)
            let after = Run(
                first: run.first + gone.upperBound - position, count: position + run.count - gone.upperBound)
            if gone.isEmpty {
                kept.append(run)
            } else {
                kept += [before, after].filter { $0.count > 0 }
                count -= Int64(gone.count)
            }
            position += run.count
        }
        runs = kept
    }
}

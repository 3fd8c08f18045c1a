// SPDX-License-Identifier: MIT

/// Maps a station's frames to the frames of the recording, to find the place in the recording to which a report about
/// past frames belongs.
///
/// A recording without losses is a single run of frames; each loss begins another run.
struct FrameMap {
    /// Consecutive frames of the station that are all in the recording.
    private struct Run {
        var first: Int64
        var count: Int64
        var end: Int64 { first + count }
    }

    private var runs: [Run] = []
    /// The number of recorded frames before ``runs``.
    private var earlier: Int64 = 0
    /// The number of frames in the recording.
    private(set) var count: Int64 = 0

    /// The most runs kept. After a thousand losses, only the total length of the oldest runs is kept.
    private static let mostRuns = 1_000

    /// Adds `count` frames. `first` is the number of the first frame in the station's stream.
    mutating func append(first: Int64, count: Int64) {
        self.count += count
        guard let last = runs.last, last.end == first else {
            if runs.count >= Self.mostRuns { earlier += runs.removeFirst().count }
            return runs.append(Run(first: first, count: count))
        }
        runs[runs.count - 1].count += count
    }

    /// The number of recorded frames before this frame of the station. If the frame itself is recorded, this is its
    /// position in the recording.
    func recorded(before frame: Int64) -> Int64 {
        runs.reduce(earlier) { $0 + min(max(0, frame - $1.first), $1.count) }
    }

    /// Whether the recording began after this frame of the station.
    func begins(after frame: Int64) -> Bool { earlier == 0 && runs.first.map { frame < $0.first } ?? true }

    /// Removes frames from the recording, by their positions in it.
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

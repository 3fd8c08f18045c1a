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
        /// Whether the station has not numbered the frames: they were found later, and belong before ``first``.
        var isFound = false
        var end: Int64 { first + count }

        /// How many of the frames come before this frame of the station.
        func frames(before frame: Int64) -> Int64 {
            isFound ? (frame < first ? 0 : count) : min(max(0, frame - first), count)
        }
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
        guard let last = runs.last, !last.isFound, last.end == first else {
            runs.append(Run(first: first, count: count))
            return forgetOldest()
        }
        runs[runs.count - 1].count += count
    }

    /// Adds `count` frames at a position in the recording. They were found later, and belong before a frame of the
    /// station.
    mutating func insert(_ count: Int64, before frame: Int64, at position: Int64) {
        self.count += count
        var start = earlier
        guard position >= start else { return earlier += count }
        let found = Run(first: frame, count: count, isFound: true)
        for (index, run) in runs.enumerated() {
            if position < start + run.count {
                var (before, after) = (run, run)
                before.count = position - start
                after.count -= before.count
                if !run.isFound { after.first += before.count }
                runs.replaceSubrange(index...index, with: [before, found, after].filter { $0.count > 0 })
                return forgetOldest()
            }
            start += run.count
        }
        runs.append(found)
        forgetOldest()
    }

    private mutating func forgetOldest() {
        while runs.count > Self.mostRuns { earlier += runs.removeFirst().count }
    }

    /// The number of recorded frames before this frame of the station. If the frame itself is recorded, this is its
    /// position in the recording.
    func recorded(before frame: Int64) -> Int64 {
        runs.reduce(earlier) { $0 + $1.frames(before: frame) }
    }

    /// Whether the recording began after this frame of the station.
    func begins(after frame: Int64) -> Bool { earlier == 0 && runs.first.map { frame < $0.first } ?? true }

    /// Removes frames from the recording, by their positions in it.
    mutating func remove(_ range: Range<Int64>) {
        var position = earlier
        var kept: [Run] = []
        for run in runs {
            let gone = range.clamped(to: position..<position + run.count)
            var (before, after) = (run, run)
            before.count = gone.lowerBound - position
            after.count = position + run.count - gone.upperBound
            if !run.isFound { after.first += gone.upperBound - position }
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

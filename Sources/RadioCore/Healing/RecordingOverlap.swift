// SPDX-License-Identifier: MIT

import Instants

/// Finds, offline, the frames that two recordings of one station have in common, such as the burst with which a station
/// begins after a restart of the daemon.
package enum RecordingOverlap {
    /// Which frames of the later recording, counted from its first, the earlier one has already. `earlier` holds the
    /// last frames of the earlier recording, `later` the first frames of the later one, and `expected` is the length of
    /// the overlap according to the clock. Nil if the frames do not tell: too few of them are equal and distinct.
    ///
    /// The frames before the lower bound precede all that `earlier` holds. The upper bound is where `earlier` ends,
    /// which may be after the end of `later`.
    package static func frames(
        of later: [FrameMark], in earlier: FrameMemory, near expected: Duration
    ) -> Range<Int>? {
        var matcher = FrameMatcher(earlier)
        for mark in later { matcher.add(mark) }
        // Music may repeat itself, but not at the same time.
        let best = matcher.told().filter(\.isFull).min {
            ($0.lead - expected).magnitude < ($1.lead - expected).magnitude
        }
        if let best { return best.shared }
        // A few frames are too few for a match, but enough if they fit at one place only.
        let fitting = matcher.fitting(expected, within: clockError)
        return fitting.count == 1 ? fitting[0].shared : nil
    }

    /// The air times of two connections differ by less than this.
    package static let clockError = Duration.seconds(2)
}

extension FrameMatcher.Alignment {
    fileprivate var shared: Range<Int> { min(max(0, -offset), drop)..<max(0, drop) }
}

// SPDX-License-Identifier: MIT

/// Where two runs of frames meet, if they share too few frames to determine a place in the middle of a run.
package enum RunMeeting {
    /// How many frames end the one run and begin the other: they are the same frames.
    package static func overlap<Frame: Equatable>(
        _ one: some Collection<Frame>, _ other: some Collection<Frame>
    ) -> Int {
        (1..<HeardIndex.length).last { one.count >= $0 && other.prefix($0).elementsEqual(Array(one).suffix($0)) } ?? 0
    }

    /// The number of frames at which the runs meet; nil unless these all differ, and so prove that the runs are
    /// consecutive.
    package static func join<Frame: Hashable>(
        _ one: some Collection<Frame>, _ other: some Collection<Frame>
    ) -> Int? {
        let count = overlap(one, other)
        return count > 1 && Set(other.prefix(count)).count == count ? count : nil
    }
}

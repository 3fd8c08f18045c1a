// SPDX-License-Identifier: MIT

import RadioCore

/// Where the frames around a gap are in another recording, and so which frames of that recording the gap lacks. Pure.
package struct GapMatch: Hashable, Sendable {
    /// The frames of the other recording that belong into the gap.
    package let frames: Range<Int>
    /// Whether they continue the frame before the gap, and whether the frame after the gap continues them.
    package let continuesBefore: Bool
    package let isContinuedAfter: Bool

    package var isWhole: Bool { continuesBefore && isContinuedAfter }

    /// How many of the equal frames must be different from each other.
    private static let kinds = 3

    /// Compares fingerprints. `before` and `after`: the frames on both sides of the gap; `other`: consecutive frames of
    /// the other recording. `begins`, `ends`: where the gap begins and ends there by the clock. Music may repeat
    /// itself, but not at the same time. `length`: how many frames are missing; nil if unknown, and then both sides
    /// must fit. Otherwise, one side may be open, where the other recording begins or ends within the gap. `isAlone`:
    /// whether there is nothing on one side, because the recording begins or ends there: then the length decides.
    package init?(
        before: [UInt64], after: [UInt64], in other: [UInt64], begins: Int, ends: Int, length: Int?,
        isAlone: Bool = false
    ) {
        let (behind, turned, count) = (Array(after.reversed()), Array(other.reversed()), other.count)
        var start = Self.end(of: before, in: other, near: begins)
        var end = Self.end(of: behind, in: turned, near: length.map { _ in count - ends }).map { count - $0 }
        if start == nil || end == nil {
            guard let length else { return nil }
            if isAlone, (start == nil) != (end == nil) {
                let lower = max(0, start ?? (end ?? 0) - length)
                let upper = min(count, end ?? lower + length)
                guard lower < upper else { return nil }
                frames = lower..<upper
                let isAll = upper - lower == length
                (continuesBefore, isContinuedAfter) = (isAll || start != nil, isAll || end != nil)
                return
            }
            start = start ?? RunMeeting.join(before, other)
            end = end ?? RunMeeting.join(other, after).map { count - $0 }
            let lower = start ?? end.map { Self.open(before, in: other, near: $0 - length) }
            let upper = end ?? start.map { count - Self.open(behind, in: turned, near: count - $0 - length) }
            guard let lower, let upper, lower < upper, upper - lower <= length + 1 else { return nil }
            // If less than half a frame is left, nothing is.
            if upper - lower >= length { (start, end) = (lower, upper) }
            frames = lower..<upper
        } else {
            guard let start, let end, start < end else { return nil }
            frames = start..<end
        }
        (continuesBefore, isContinuedAfter) = (start != nil, end != nil)
    }

    /// The place in `other` at which the wanted frames end: all of them are before it, or as many as `other` has. The
    /// place that is nearest to `expected`; nil if there is none, or if nothing tells several apart.
    private static func end(of wanted: [UInt64], in other: [UInt64], near expected: Int?) -> Int? {
        let places = places(of: wanted, in: other).filter { place in
            let shared = other[max(0, place - wanted.count)..<place]
            return shared.count >= GapFiller.side && Set(shared).count >= kinds
        }
        guard let expected else { return places.count == 1 ? places[0] : nil }
        return places.min { abs($0 - expected) < abs($1 - expected) }
    }

    /// The same where the frames prove no place, as in silence: what both have is equal at the place nearest to
    /// `expected`. Otherwise `other` begins within the gap, or a few frames before it.
    private static func open(_ wanted: [UInt64], in other: [UInt64], near expected: Int) -> Int {
        let place = ([0] + places(of: wanted, in: other)).min { abs($0 - expected) < abs($1 - expected) } ?? 0
        return place > 0 ? place : RunMeeting.overlap(wanted, other)
    }

    /// The places at which the wanted frames end, as far as both have them.
    private static func places(of wanted: [UInt64], in other: [UInt64]) -> [Int] {
        guard let last = wanted.last, !other.isEmpty else { return [] }
        return (1...other.count).filter { place in
            guard other[place - 1] == last else { return false }
            let shared = other[max(0, place - wanted.count)..<place]
            return shared == wanted.suffix(shared.count)
        }
    }
}

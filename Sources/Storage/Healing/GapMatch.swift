// SPDX-License-Identifier: MIT

/// Where the frames around a gap are in another recording, and so which frames of that recording the gap lacks. Pure.
package struct GapMatch: Hashable, Sendable {
    /// The frames of the other recording that belong into the gap.
    package let frames: Range<Int>
    /// Whether they continue the frame before the gap, and whether the frame after the gap continues them.
    package let continuesBefore: Bool
    package let isContinuedAfter: Bool

    package var isWhole: Bool { continuesBefore && isContinuedAfter }

    /// How many frames must be equal, and how many of them must be different from each other.
    private static let (least, kinds) = (8, 3)

    /// Compares fingerprints. `before` and `after`: the frames on both sides of the gap; `other`: consecutive frames of
    /// the other recording. `begins`, `ends`: where the gap begins and ends there by the clock; nil if unknown. Music
    /// may repeat itself, but not at the same time. `beginsWithin`, `endsWithin`: whether the other recording lacks what
    /// precedes or follows these frames, and so begins or ends within the gap: only then may one side be open.
    package init?(
        before: [UInt64], after: [UInt64], in other: [UInt64], begins: Int, ends: Int?, beginsWithin: Bool,
        endsWithin: Bool
    ) {
        let start = Self.end(of: before, in: other, near: begins)
        let end = Self.end(
            of: after.reversed(), in: other.reversed(), near: ends.map { other.count - $0 }
        ).map { other.count - $0 }
        // Where one side is open, only the length of the gap shows how much belongs into it.
        guard start != nil || end != nil, ends != nil || start != nil && end != nil, start != nil || beginsWithin,
            end != nil || endsWithin
        else { return nil }
        let (lower, upper) = (start ?? 0, end ?? other.count)
        guard lower < upper else { return nil }
        frames = lower..<upper
        (continuesBefore, isContinuedAfter) = (start != nil, end != nil)
    }

    /// The place in `other` at which the wanted frames end: all of them are before it, or as many as `other` has. The
    /// place that is nearest to `expected`; nil if there is none, or if nothing tells several apart.
    private static func end(of wanted: [UInt64], in other: [UInt64], near expected: Int?) -> Int? {
        guard wanted.count >= least, other.count >= least, let last = wanted.last else { return nil }
        let places = (least...other.count).filter { place in
            guard other[place - 1] == last else { return false }
            let shared = other[max(0, place - wanted.count)..<place]
            return shared == wanted.suffix(shared.count) && Set(shared).count >= kinds
        }
        guard let expected else { return places.count == 1 ? places[0] : nil }
        return places.min { abs($0 - expected) < abs($1 - expected) }
    }
}

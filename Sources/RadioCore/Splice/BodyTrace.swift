// SPDX-License-Identifier: MIT

/// What tells one connection's body from another: the number of its frames, and sums of the first ones. A pure value.
///
/// Two bodies that begin with the same frames are one file, or have the same advert in front. They are certainly one
/// file only if they are equal to their ends.
package struct BodyTrace: Hashable, Sendable {
    private var frames: Int64 = 0
    /// The sum of the frames up to each whole granule.
    private var sums: [UInt64] = []
    private var sum: UInt64 = 0
    /// The first three frames that differ.
    private var kinds: [UInt64] = []

    private static let granule = 64
    /// Later frames are only counted. At 26 ms per frame, this is after 107 s.
    private static let mostSums = 64

    package init() {}

    package mutating func add(_ batch: FrameBatch) {
        frames += Int64(batch.count)
        guard sums.count < Self.mostSums else { return }
        var count = Int(frames) - batch.count
        for index in 0..<batch.count {
            guard let mark = batch[index].mark?.fingerprint, sums.count < Self.mostSums else { return }
            sum = PrefixSums.sum(sum, mark)
            count += 1
            if count % Self.granule == 0 { sums.append(sum) }
            if kinds.count < HeardIndex.leastDistinct, !kinds.contains(mark) { kinds.append(mark) }
        }
    }

    /// Whether the frames are distinct enough to be recognized: all silence is alike.
    private var isTelling: Bool { kinds.count == HeardIndex.leastDistinct }

    /// Whether both bodies consist of the same frames.
    package func isSame(as other: BodyTrace) -> Bool { isTelling && self == other }

    /// Whether all frames so far, up to the last whole granule, are those with which the other body begins.
    package func follows(_ other: BodyTrace) -> Bool {
        isTelling && !sums.isEmpty && frames <= other.frames && other.sums.starts(with: sums)
    }
}

// SPDX-License-Identifier: MIT

/// A sequence of numbers in which any two ranges can be compared in constant time. The sum of a range is a polynomial
/// of its numbers; two different ranges have the same sum with a probability of about 2⁻⁶⁰.
struct PrefixSums: Sendable {
    private static let base: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// The sum of the numbers before each place; the last element is the sum of all.
    private var sums: [UInt64] = [0]
    private var powers: [UInt64] = [1]
    /// The last three distinct numbers, newest first, each with its last place.
    private var newest: [(number: UInt64, place: Int)] = []
    /// For each place: where the third distinct number, counting back from that place, last occurred; -1 if there is
    /// none.
    private var thirdKind: [Int32] = []

    var count: Int { sums.count - 1 }

    mutating func append(_ number: UInt64) {
        newest.removeAll { $0.number == number }
        newest.insert((number, count), at: 0)
        if newest.count > HeardIndex.leastDistinct { newest.removeLast() }
        thirdKind.append(newest.count == HeardIndex.leastDistinct ? Int32(newest[2].place) : -1)
        sums.append(Self.sum(sums[count], number))
        powers.append(powers[powers.count - 1] &* Self.base)
    }

    /// The sum of a range that is continued by this number.
    static func sum(_ sum: UInt64, _ number: UInt64) -> UInt64 {
        (sum &* base) &+ (number ^ (number >> 31)) &+ 1
    }

    /// The sum of a range.
    func sum(_ range: Range<Int>) -> UInt64 {
        sums[range.upperBound] &- sums[range.lowerBound] &* powers[range.count]
    }

    /// Whether at least three of the eight numbers before `end` are distinct, so that these eight can determine a
    /// place.
    func isTelling(upTo end: Int) -> Bool {
        end >= HeardIndex.length && Int(thirdKind[end - 1]) >= end - HeardIndex.length
    }
}

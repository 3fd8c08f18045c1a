// SPDX-License-Identifier: MIT

extension Range<WallInstant> {
    /// How long the span lasts.
    package var length: Duration { upperBound - lowerBound }

    /// The parts of the span that are in none of the others, in order. The others may overlap, and be in any order.
    package func without(_ others: some Sequence<Range<WallInstant>>) -> [Range<WallInstant>] {
        var (parts, start) = ([Range<WallInstant>](), lowerBound)
        for other in others.filter(overlaps).sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if other.lowerBound > start { parts.append(start..<other.lowerBound) }
            start = Swift.max(start, other.upperBound)
        }
        return start < upperBound ? parts + [start..<upperBound] : parts
    }
}

// SPDX-License-Identifier: MIT

extension Range where Bound: BinaryInteger {
    /// The first number that satisfies `isWanted`; `upperBound` if none does. If a number satisfies it, all later ones
    /// must satisfy it, too.
    @inlinable package func firstByBisection(where isWanted: (Bound) -> Bool) -> Bound {
        var (low, high) = (lowerBound, upperBound)
        while low < high {
            let middle = low + (high - low) / 2
            if isWanted(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

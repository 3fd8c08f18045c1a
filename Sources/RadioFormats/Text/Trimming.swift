// SPDX-License-Identifier: MIT

extension BidirectionalCollection {
    /// The elements without those at both ends for which `isOuter` is true.
    package func trimmed(_ isOuter: (Element) -> Bool) -> SubSequence {
        guard let first = firstIndex(where: { !isOuter($0) }), let last = lastIndex(where: { !isOuter($0) })
        else { return self[endIndex...] }
        return self[first...last]
    }
}

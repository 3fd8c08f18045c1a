// SPDX-License-Identifier: MIT

import RadioFormats

/// Finds what a misspelt word was meant to be.
package enum EditDistance {
    /// Longer words are compared by their beginning.
    private static let longest = 64

    /// The nearest of the candidates, the first of several; nil if none is near. A third of the letters may differ.
    package static func nearest(to word: String, among candidates: some Sequence<String>) -> String? {
        let most = max(1, letters(word).count / 3)
        let ranked = candidates.map { ($0, between(word, $0)) }.filter { $0.1 <= most }
        return ranked.min { $0.1 < $1.1 }?.0
    }

    /// The number of letters to insert, delete, replace, or exchange with their neighbour; `_` counts as `-`, and
    /// capitals as small letters.
    package static func between(_ first: String, _ second: String) -> Int {
        let (first, second) = (letters(first), letters(second))
        guard !first.isEmpty, !second.isEmpty else { return max(first.count, second.count) }
        var (before, last) = ([Int](), Array(0...second.count))
        for row in 1...first.count {
            var current = [row]
            for column in 1...second.count {
                let isSame = first[row - 1] == second[column - 1]
                var cost = min(last[column] + 1, current[column - 1] + 1, last[column - 1] + (isSame ? 0 : 1))
                if row > 1, column > 1, first[row - 1] == second[column - 2], first[row - 2] == second[column - 1] {
                    cost = min(cost, before[column - 2] + 1)
                }
                current.append(cost)
            }
            (before, last) = (last, current)
        }
        return last[second.count]
    }

    private static func letters(_ word: String) -> [Character] {
        word.cut(toBytes: 4 * longest).lowercased().prefix(longest).map { $0 == "_" ? "-" : $0 }
    }
}

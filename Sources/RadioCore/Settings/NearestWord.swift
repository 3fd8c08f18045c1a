// SPDX-License-Identifier: MIT

/// Finds the known word that somebody probably meant by a misspelt word.
package enum NearestWord {
    /// The first of the known words with the fewest edits, ignoring case; nil if none is near enough.
    ///
    /// An edit is a missing letter, an extra letter, a wrong letter, or a letter swapped with its neighbour. A known
    /// word is near enough with at most two edits, and with at most half as many edits as `word` has letters. If `word`
    /// is longer than 100 bytes, the result is nil.
    package static func nearest(to word: String, in known: some Sequence<String>) -> String? {
        let bytes = Array(word.lowercased().utf8)
        guard bytes.count <= longest else { return nil }
        var best: String?
        var fewest = min(mostEdits, bytes.count / 2) + 1
        for candidate in known where fewest > 0 {
            // A length that differs by too much needs too many edits.
            guard abs(candidate.utf8.count - bytes.count) < fewest else { continue }
            let edits = edits(bytes, Array(candidate.lowercased().utf8))
            if edits < fewest { (best, fewest) = (candidate, edits) }
        }
        return best
    }

    private static let longest = 100
    private static let mostEdits = 2

    /// The optimal string alignment distance.
    private static func edits(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var older: [Int] = []
        var previous = Array(0...right.count)
        for (row, byte) in left.enumerated() {
            var current = [row + 1]
            for (column, other) in right.enumerated() {
                var edits = min(
                    previous[column] + (byte == other ? 0 : 1), previous[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, byte == right[column - 1], left[row - 1] == other {
                    edits = min(edits, older[column - 1] + 1)
                }
                current.append(edits)
            }
            (older, previous) = (previous, current)
        }
        return previous[right.count]
    }
}

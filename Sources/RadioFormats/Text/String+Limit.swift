// SPDX-License-Identifier: MIT

extension String {
    /// The longest beginning that has at most `limit` bytes of UTF-8 and ends at a character. A first character that
    /// alone is longer, a letter under a heap of accents, is cut between its scalars.
    ///
    /// Every limit on a stranger's text is one of bytes: a single character may have any number of them.
    package func cut(toBytes limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var end = utf8.index(startIndex, offsetBy: max(0, limit))
        while end > startIndex, utf8[end] & 0xc0 == 0x80 { end = utf8.index(before: end) }
        guard end > startIndex else { return "" }
        // A character that was cut in two goes, unless it is all there is.
        if String.Index(end, within: self) == nil {
            let last = self[..<end].index(before: end)
            if last > startIndex { end = last }
        }
        return String(self[..<end])
    }
}

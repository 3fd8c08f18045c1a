// SPDX-License-Identifier: MIT

extension String {
    /// The longest prefix of at most `limit` bytes of UTF-8 that ends at a character boundary. A first character that
    /// is longer by itself, such as a letter with countless accents, is cut between its scalars.
    ///
    /// Limits on untrusted text are in bytes because a single character may have any number of them.
    package func cut(toBytes limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var end = utf8.index(startIndex, offsetBy: max(0, limit))
        while end > startIndex, utf8[end] & 0xc0 == 0x80 { end = utf8.index(before: end) }
        guard end > startIndex else { return "" }
        // Drop a character that was cut in two, unless it is the first.
        if String.Index(end, within: self) == nil {
            let last = self[..<end].index(before: end)
            if last > startIndex { end = last }
        }
        return String(self[..<end])
    }
}

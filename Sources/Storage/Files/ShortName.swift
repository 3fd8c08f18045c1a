// SPDX-License-Identifier: MIT

import RadioFormats

extension String {
    /// A shorter form of the name, for a file system that rejects its length; nil if the name is already short.
    /// `reserve`: how many bytes will be added to the shorter name.
    ///
    /// eCryptfs limits names to 143 bytes; 120 bytes leave room for a number and `.mp3.part` or `.json`.
    func shortName(reserve: Int = 0) -> String? {
        let length = Self.shortNameLength - reserve
        return utf8.count > length ? cut(toBytes: length) : nil
    }

    private static let shortNameLength = 120
}

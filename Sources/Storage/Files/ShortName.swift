// SPDX-License-Identifier: MIT

import RadioFormats

extension String {
    /// A shorter name, for a file system that takes none as long as this; nil where it is short already.
    ///
    /// Names have 143 bytes on eCryptfs. What is left is enough for a number and `.mp3.part` or `.json`.
    var shortName: String? {
        guard utf8.count > Self.shortNameLength else { return nil }
        return cut(toBytes: Self.shortNameLength)
    }

    private static let shortNameLength = 120
}

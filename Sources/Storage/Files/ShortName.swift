// SPDX-License-Identifier: MIT

import RadioFormats

extension String {
    /// A shorter name, for a file system that rejects this length; nil if the name is already short. `reserve`: the
    /// bytes that will be added to it.
    ///
    /// eCryptfs limits names to 143 bytes; 120 bytes leave room for a number and `.mp3.part` or `.json`.
    var shortName: String? {
        guard utf8.count > Self.shortNameLength else { return nil }
        return cut(toBytes: Self.shortNameLength)
    }

    private static let shortNameLength = 120
}

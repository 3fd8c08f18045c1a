// SPDX-License-Identifier: MIT

/// Bytes of a file that somebody wants to look at: fewer come where the file ends, or is not there any further.
package struct FileRead: Hashable, Sendable {
    package var offset: Int64
    package var count: Int

    package init(offset: Int64, count: Int) {
        self.offset = offset
        self.count = count
    }
}

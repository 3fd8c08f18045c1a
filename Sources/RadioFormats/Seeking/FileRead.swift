// SPDX-License-Identifier: MIT

/// A range of a file to read. The read may return fewer bytes at the end of the file, or of the part that is loaded.
package struct FileRead: Hashable, Sendable {
    package var offset: Int64
    package var count: Int

    package init(offset: Int64, count: Int) {
        self.offset = offset
        self.count = count
    }
}

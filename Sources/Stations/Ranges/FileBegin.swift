// SPDX-License-Identifier: MIT

/// Where in a file of the web to begin, for a station that is no station.
package struct FileBegin: Hashable, Sendable {
    /// The first byte that is wanted.
    package var byte: Int64
    /// What stands at the file's start and a decoder has to know; empty where that is nothing.
    package var head: [UInt8]
    /// The entity tag, or the date, under which the place was found: of another file nothing is wanted.
    package var validator: String?

    package init(byte: Int64, head: [UInt8] = [], validator: String? = nil) {
        self.byte = byte
        self.head = head
        self.validator = validator
    }
}

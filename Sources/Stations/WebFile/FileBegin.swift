// SPDX-License-Identifier: MIT

package import RadioFormats

/// Where to begin in a file on the web, for a station that plays a file.
package struct FileBegin: Hashable, Sendable {
    /// The first byte to request.
    package var byte: Int64
    /// The file's headers, which a decoder needs first; empty if it needs none.
    package var head: [UInt8]
    /// The entity tag or date of the file in which the byte was located. The byte is meaningless in any other version
    /// of the file.
    package var validator: String?

    /// How the audio is taken out of its wrapper from that byte on; nil for other files.
    package var start: WrappedStart?

    package init(byte: Int64, head: [UInt8] = [], validator: String? = nil, start: WrappedStart? = nil) {
        self.byte = byte
        self.head = head
        self.start = start
        self.validator = validator
    }
}

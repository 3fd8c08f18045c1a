// SPDX-License-Identifier: MIT

/// What an ``ICYDemuxer`` finds.
package enum ICYEvent: Hashable, Sendable {
    /// These bytes of the input are audio; never empty.
    case audio(Range<Int>)
    case metadata(ICYBlock)
}

/// A metadata block as it was sent, 16 to 4,080 bytes, with the place that it belongs to.
package struct ICYBlock: Hashable, Sendable {
    /// Padded with zeros to a multiple of 16. ``ICYMetadata`` reads it.
    package var bytes: [UInt8]
    /// How many audio bytes came before it: what it says belongs to the first frame that begins there or later.
    package var audioOffset: Int64

    package init(bytes: [UInt8], audioOffset: Int64) {
        self.bytes = bytes
        self.audioOffset = audioOffset
    }
}

// SPDX-License-Identifier: MIT

/// An event of an ``ICYDemuxer``.
package enum ICYEvent: Hashable, Sendable {
    /// These bytes of the input are audio; never empty.
    case audio(Range<Int>)
    case metadata(ICYBlock)
}

/// A metadata block as it was sent, 16 to 4,080 bytes, and its place in the audio.
package struct ICYBlock: Hashable, Sendable {
    /// The bytes of the block, padded with zeros to a multiple of 16. ``ICYMetadata`` reads them.
    package var bytes: [UInt8]
    /// The number of audio bytes before the block. The block applies to the first frame that begins there or later.
    package var audioOffset: Int64
}

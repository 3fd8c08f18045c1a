// SPDX-License-Identifier: MIT

import RadioCore
package import RadioFormats

/// Makes the decoder for a stream.
package enum Decoders {
    /// Makes a decoder for frames of this format, which can start with any frame.
    ///
    /// Opens a library when its first decoder needs it. With `atStart`, the first frame is the first frame of its
    /// stream, and the pre-skip that the stream's head specifies is left out (Opus).
    package static func make(for format: StreamFormat, atStart: Bool = false) throws(DecodingError) -> any Decoding {
        guard PCMFormat.sampleRates.contains(format.sampleRate), PCMFormat.channelCounts.contains(format.channels)
        else {
            throw .failed("no sound server accepts \(format.sampleRate) Hz with \(format.channels) channels")
        }
        return switch format.codec {
        case .mp1, .mp2, .mp3: try MPEGDecoder(format)
        case .opus: try OpusDecoder(format, atStart: atStart)
        case .vorbis: try VorbisDecoder(format)
        case .flac: try FLACDecoder(format)
        case .aac: try AACDecoder(format)
        }
    }
}

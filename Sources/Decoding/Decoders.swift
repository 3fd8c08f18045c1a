// SPDX-License-Identifier: MIT

import RadioCore
package import RadioFormats

/// Which decoder there is for which stream.
package enum Decoders {
    /// A decoder for frames of this format, from any of them on.
    ///
    /// Libraries are opened here, when the first decoder needs one. With `atStart` the first frame is the first one of
    /// its stream: what an encoder has put before the audio, and says so in the stream's head, is left out (Opus).
    ///
    /// Channels come in the order of WAVE files. Throws ``DecodingError/missing(name:package:)`` where this machine
    /// does not have what it takes, and ``DecodingError/failed(_:)`` where nothing decodes such a stream.
    package static func make(for format: StreamFormat, atStart: Bool = false) throws(DecodingError) -> any Decoding {
        guard PCMFormat.sampleRates.contains(format.sampleRate), PCMFormat.channelCounts.contains(format.channels)
        else {
            throw .failed("no sound server takes \(format.sampleRate) Hz with \(format.channels) channels")
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

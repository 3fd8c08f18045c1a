// SPDX-License-Identifier: MIT

/// How frames lie in a stream or a file, and so how they are found: another fact than their ``Codec``.
package enum Container: String, Hashable, Sendable, CaseIterable {
    /// MPEG audio frames, one behind the other.
    case mpeg
    /// AAC frames with ADTS headers.
    case adts
    /// Packets in pages: frames become a file only in pages of its own.
    case ogg

    /// The framer for all that lies like this. Every frame waits for what stands behind it: a frame made of two halves
    /// is worse than a few milliseconds.
    package func makeFramer() -> any Framer {
        switch self {
        case .mpeg: MPEGAudioFramer()
        case .adts: ADTSFramer()
        case .ogg: OggFramer()
        }
    }
}

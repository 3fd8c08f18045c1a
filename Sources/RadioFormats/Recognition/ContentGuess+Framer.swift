// SPDX-License-Identifier: MIT

extension ContentGuess.Audio {
    /// The framer for this kind of audio. Every frame waits for the header after it: a frame made of two halves is
    /// worse than a few milliseconds.
    package func makeFramer() -> any Framer {
        switch self {
        case .mpeg: MPEGAudioFramer()
        case .adts: ADTSFramer()
        case .ogg: OggFramer()
        }
    }
}

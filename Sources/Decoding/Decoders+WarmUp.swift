// SPDX-License-Identifier: MIT

package import RadioFormats

extension Decoders {
    /// How many frames before a place a decoder is to be fed, and their PCM thrown away, so that what comes from that
    /// place on is what a decoder gives that has heard everything.
    ///
    /// Opus only draws near: its state fades within 80 ms, which are four packets of the usual 20 ms; `samples`, where
    /// it is known, is how long a packet is. For layer III it is the worst that the format allows, as far as frames have
    /// a bit rate: where the frames are known, those that ``Frame/backReference`` reaches and two more are enough.
    package static func warmUp(for format: StreamFormat, samplesPerFrame samples: Int = 0) -> Int {
        switch format.codec {
        // The filters remember part of the frame before.
        case .mp1: 2
        case .mp2: 1
        case .mp3: layerIIIWarmUp(format)
        case .opus: opusConvergence / max(opusLeast, min(samples > 0 ? samples : opusUsual, opusConvergence))
        case .vorbis: 1
        case .aac: 3
        case .flac: 0
        }
    }

    /// Main data begins up to 511 bytes before its frame, or 255 in MPEG-2: so many frames with the least that they can
    /// hold. The frame before must be right as well, because blocks overlap, and the one before that, because the
    /// filters remember what came of the overlap.
    private static func layerIIIWarmUp(_ format: StreamFormat) -> Int {
        let isFirst = format.mpegVersion == .mpeg1
        let (reach, samples, lowestRate) = isFirst ? (511, 1_152, 32_000) : (255, 576, 8_000)
        let sideInformation = isFirst ? (format.channels == 1 ? 17 : 32) : (format.channels == 1 ? 9 : 17)
        let least = samples / 8 * lowestRate / max(1, format.sampleRate) - 4 - sideInformation
        return min(mostLayerIII, (reach + max(1, least) - 1) / max(1, least) + 2)
    }

    /// Stereo at 8 kbit/s would need hundreds; no encoder makes it.
    private static let mostLayerIII = 34
    /// In samples at 48 kHz: 80 ms, 20 ms and 2.5 ms.
    private static let (opusConvergence, opusUsual, opusLeast) = (3_840, 960, 120)
}

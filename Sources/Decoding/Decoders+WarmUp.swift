// SPDX-License-Identifier: MIT

package import RadioFormats

extension Decoders {
    /// The pre-roll of a decoder: how many frames before a position must be decoded and discarded, so that the PCM from
    /// that position on is the same as if everything before it had been decoded.
    ///
    /// For Opus the PCM only converges to this: the decoder's state fades within 80 ms, which are four packets of the
    /// usual 20 ms. `samples` is the length of a packet, or 0 if unknown. For layer III, the result covers the worst
    /// case that the format allows, except free format. If the frames are known, the pre-roll needs only the frames
    /// that ``Frame/backReference`` reaches and two more before them.
    package static func warmUp(for format: StreamFormat, samplesPerFrame samples: Int = 0) -> Int {
        switch format.codec {
        // The filters depend on part of the previous frame.
        case .mp1: 2
        case .mp2: 1
        case .mp3: layerIIIWarmUp(format)
        case .opus: opusConvergence / max(opusLeast, min(samples > 0 ? samples : opusUsual, opusConvergence))
        case .vorbis: 1
        case .aac: 3
        case .flac: 0
        }
    }

    /// Main data begins up to 511 bytes before its frame, or 255 in MPEG-2. This many frames of the smallest size cover
    /// these bytes. Two more frames are needed: the previous frame because blocks overlap, and the frame before it
    /// because the filters remember the result of the overlap.
    private static func layerIIIWarmUp(_ format: StreamFormat) -> Int {
        let isFirst = format.mpegVersion == .mpeg1
        let (reach, samples, lowestRate) = isFirst ? (511, 1_152, 32_000) : (255, 576, 8_000)
        let sideInformation = isFirst ? (format.channels == 1 ? 17 : 32) : (format.channels == 1 ? 9 : 17)
        let least = samples / 8 * lowestRate / max(1, format.sampleRate) - 4 - sideInformation
        return min(mostLayerIII, (reach + max(1, least) - 1) / max(1, least) + 2)
    }

    /// The maximum pre-roll. Stereo at 8 kbit/s would need hundreds of frames, but no encoder makes such a stream.
    private static let mostLayerIII = 34
    /// In samples at 48 kHz: 80 ms, 20 ms and 2.5 ms.
    private static let (opusConvergence, opusUsual, opusLeast) = (3_840, 960, 120)
}

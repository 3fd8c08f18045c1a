// SPDX-License-Identifier: MIT

import TestTools

/// A programme for tests: seeded noise plus a tone, so that no two frames are equal. ffmpeg encodes it into bare frames
/// without tags or Info frame. The same parameters yield the same bytes.
package struct ReferenceProgramme: Sendable {
    /// The content and encoding of a programme.
    package struct Parameters: Hashable, Sendable {
        package var encoding: Encoding
        package var sampleRate: Int
        package var channels: Int
        /// The duration in whole seconds.
        package var seconds: Int
        package var seed: Int
        /// Only for layer III: whether frames may store data in the free space of earlier frames (the bit reservoir),
        /// as encoders normally do. A decoder that starts at a frame with such data lacks it, and may report this.
        package var usesReservoir: Bool
        /// What the programme sounds like, one after the other; empty for noise and a tone.
        package var scenes: [Scene] = []

        package init(
            _ encoding: Encoding, sampleRate: Int = 44_100, channels: Int = 2, seconds: Int = 60, seed: Int = 1,
            usesReservoir: Bool = true
        ) {
            self.encoding = encoding
            self.sampleRate = sampleRate
            self.channels = channels
            self.seconds = seconds
            self.seed = seed
            self.usesReservoir = usesReservoir
        }
    }

    /// A part of a programme, of this length in seconds.
    package enum Scene: Hashable, Sendable {
        case music(Double)
        /// Digital silence.
        case silence(Double)
        /// Noise at -70 dB RMS.
        case hiss(Double)
        /// A tone of 1 kHz.
        case tone(Double)
        /// Music in the left channel alone.
        case half(Double)
    }

    /// The codecs, with their bit rates in kbit/s.
    package enum Encoding: Hashable, Sendable {
        case mp3(Int)
        /// Layer III with a variable bit rate; quality 0 is the best, 9 the worst.
        case mp3Variable(quality: Int)
        case mp2(Int)
        /// AAC-LC in ADTS.
        case aac(Int)
        case opus(Int)
        case vorbis(Int)
        /// FLAC in Ogg.
        case flac
        /// FLAC outside Ogg, with a stream head.
        case nativeFLAC
    }

    package let parameters: Parameters
    /// The path of the encoded file.
    package let path: String
    package let bytes: [UInt8]

    /// Encodes a programme, or reuses the one that this process has encoded with the same parameters. Blocks while
    /// ffmpeg runs: about 0.5 s for a minute of audio.
    package init(_ parameters: Parameters) throws {
        self.parameters = parameters
        path = try ProgrammeCache.shared.path(of: parameters)
        bytes = try TestTools.bytes(ofFile: path)
    }

    /// Encodes a programme as ``init(_:)`` does, without blocking the caller's thread.
    package static func make(_ parameters: Parameters) async throws -> ReferenceProgramme {
        try await onThread { try ReferenceProgramme(parameters) }
    }

    /// A checker for recordings of this programme.
    package func checker() throws -> FrameChecker {
        try FrameChecker(source: bytes, container: parameters.encoding.container)
    }
}

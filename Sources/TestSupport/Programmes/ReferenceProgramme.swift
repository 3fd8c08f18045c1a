// SPDX-License-Identifier: MIT

/// A programme for tests: seeded noise under a tone, so that no two frames of it are equal, encoded by ffmpeg into bare
/// frames without tags or Info frame. The same parameters yield the same bytes.
package struct ReferenceProgramme: Sendable {
    /// What a programme sounds like and how it is encoded.
    package struct Parameters: Hashable, Sendable {
        package var encoding: Encoding
        package var sampleRate: Int
        package var channels: Int
        /// Whole seconds of audio.
        package var seconds: Int
        package var seed: Int
        /// Layer III: whether frames may put data into the space of earlier ones (the bit reservoir), as encoders do. A
        /// decoder that begins at a frame of that kind misses some of it, and may say so.
        package var usesReservoir: Bool

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

    /// The codecs, with their bit rates in kbit/s.
    package enum Encoding: Hashable, Sendable {
        case mp3(Int)
        /// Layer III with a variable bit rate; 0 is the best quality, 9 the least.
        case mp3Variable(quality: Int)
        case mp2(Int)
        /// AAC-LC in ADTS.
        case aac(Int)
        case opus(Int)
        case vorbis(Int)
        /// FLAC in Ogg.
        case flac
        /// FLAC outside Ogg, with a head.
        case nativeFLAC
    }

    package let parameters: Parameters
    /// Where the encoded programme lies.
    package let path: String
    package let bytes: [UInt8]

    /// Makes a programme, or takes the one that this process has made with the same parameters. Blocks while ffmpeg
    /// works: some 0.5 s for a minute of audio.
    package init(_ parameters: Parameters) throws {
        self.parameters = parameters
        path = try ProgrammeCache.shared.path(of: parameters)
        bytes = try TestSupport.bytes(ofFile: path)
    }

    /// The same without holding the caller's thread.
    package static func make(_ parameters: Parameters) async throws -> ReferenceProgramme {
        try await onThread { try ReferenceProgramme(parameters) }
    }

    /// A checker that knows every frame of this programme.
    package func checker() throws -> FrameChecker {
        try FrameChecker(source: bytes, container: parameters.encoding.container)
    }
}

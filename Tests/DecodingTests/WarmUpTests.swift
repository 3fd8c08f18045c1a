// SPDX-License-Identifier: MIT

import RadioFormats
import TestSupport
import TestTools
import Testing

@testable import Decoding

/// A decoder that starts within a stream, after as many warm-up frames as ``Decoders`` says, gives the same PCM as a
/// decoder that got the whole stream.
struct WarmUpTests {
    struct Case: CustomTestStringConvertible {
        var parameters: ReferenceProgramme.Parameters
        var container: Container
        /// The smallest signal-to-noise ratio, in decibels.
        var least = 100.0

        var testDescription: String { "\(parameters.encoding) at \(parameters.sampleRate)" }
    }

    private static let cases = [
        Case(parameters: .init(.mp3(32), sampleRate: 48_000, seconds: 4), container: .mpeg),
        Case(parameters: .init(.mp3(128), seconds: 4), container: .mpeg),
        Case(parameters: .init(.mp3(320), seconds: 4), container: .mpeg),
        Case(parameters: .init(.mp3(16), sampleRate: 22_050, channels: 1, seconds: 4), container: .mpeg),
        Case(parameters: .init(.mp3(8), sampleRate: 24_000, channels: 1, seconds: 4), container: .mpeg),
        Case(parameters: .init(.mp2(192), seconds: 4), container: .mpeg),
        Case(parameters: .init(.vorbis(128), seconds: 4), container: .ogg),
        Case(parameters: .init(.flac, seconds: 4), container: .ogg),
        Case(parameters: .init(.nativeFLAC, seconds: 4), container: .flac),
        Case(parameters: .init(.opus(96), sampleRate: 48_000, seconds: 4), container: .ogg, least: 40),
    ]

    @Test("A decoder that starts within a stream gives the same PCM after its warm-up", arguments: cases)
    func same(_ given: Case) async throws {
        try await onThread {
            let stream = try FramedStream(ReferenceProgramme(given.parameters).bytes, in: given.container)
            let whole = try DecodedAudio(stream.frames, of: stream, by: Decoders.make(for: stream.format))
            let channels = given.parameters.channels
            let warmUp = Decoders.warmUp(for: stream.format)
            let first = try #require(whole.instant)
            // Several places are tried, because the bit reservoir differs between them.
            let most = stream.frames.count - 3
            for place in stride(from: max(4, warmUp), to: most, by: max(1, (most - warmUp) / 5)).prefix(5) {
                let part = try DecodedAudio(
                    stream.frames[(place - warmUp)...], of: stream, by: Decoders.make(for: stream.format))
                let begin = try #require(part.instant)
                // The PCM of the frame at `place`.
                let delay: Int64 = stream.format.codec == .mp3 ? -529 : 0
                let start = stream.frames[place].instant + delay
                let ours = part.values.dropFirst(Int(start - begin) * channels)
                let theirs = whole.values.dropFirst(Int(start - first) * channels)
                #expect(abs(ours.count - theirs.count) <= 0)
                #expect(signalToNoise(ours, theirs) >= given.least, "place \(place) of \(stream.frames.count)")
                // The first samples may be 20 dB worse, because they may be fainter than the rest.
                #expect(signalToNoise(ours.prefix(1_024 * channels), theirs) >= given.least - 20, "place \(place)")
            }
        }
    }

    @Test("An AAC decoder that starts within a stream gives the same PCM after its warm-up")
    func aac() async throws {
        try await onThread {
            let file = try Encoded.noise(["-ac", "2", "-c:a", "aac", "-b:a", "128k", "-aac_pns", "0", "-f", "adts"])
            let stream = try FramedStream(file, in: .adts)
            let whole = try DecodedAudio(stream.frames, of: stream, by: Decoders.make(for: stream.format))
            let warmUp = Decoders.warmUp(for: stream.format)
            let part = try DecodedAudio(
                stream.frames[(40 - warmUp)...], of: stream, by: Decoders.make(for: stream.format))
            #expect(part.instant == Int64(40 - warmUp) * 1_024)
            let (ours, theirs) = (
                part.values.dropFirst(warmUp * 2_048), whole.values.dropFirst(40 * 2_048)
            )
            #expect(ours.count == theirs.count && signalToNoise(ours, theirs) >= 100)
        }
    }

    @Test("The number of warm-up frames depends on the codec, rate and channels")
    func counts() {
        func count(_ codec: Codec, _ version: StreamFormat.MPEGVersion?, _ rate: Int, _ channels: Int) -> Int {
            Decoders.warmUp(
                for: StreamFormat(codec: codec, mpegVersion: version, sampleRate: rate, channels: channels))
        }
        #expect(count(.mp3, .mpeg1, 44_100, 2) == 10)
        #expect(count(.mp3, .mpeg1, 48_000, 1) == 9)
        #expect(count(.mp3, .mpeg2, 24_000, 1) == 26)
        #expect(count(.mp3, .mpeg2, 24_000, 2) == 34)
        #expect(count(.opus, nil, 48_000, 2) == 4)
        let opus = StreamFormat(codec: .opus, sampleRate: 48_000, channels: 2)
        #expect(Decoders.warmUp(for: opus, samplesPerFrame: 120) == 32)
        #expect(Decoders.warmUp(for: opus, samplesPerFrame: 5_760) == 1)
    }
}

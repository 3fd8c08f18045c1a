// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats
import TestSupport
import TestTools
import Testing

@testable import Decoding

/// The decoders' output equals that of ffmpeg for the same file, sample by sample.
struct FidelityTests {
    struct Case: CustomTestStringConvertible {
        var name: String
        var container: Container
        var channels = 2
        var rate = 44_100
        var codec: [String]
        /// ffmpeg's own Opus decoder is not the library that other programs use.
        var reference: [String] = []

        var testDescription: String { "\(name), \(rate) Hz, \(channels) channels" }
    }

    private static let mpeg: [Case] =
        [(44_100, "128k"), (22_050, "64k"), (11_025, "32k")].flatMap { rate, bits in
            [1, 2].map { channels in
                Case(
                    name: "layer III", container: .mpeg, channels: channels, rate: rate,
                    codec: ["-c:a", "libmp3lame", "-b:a", bits, "-write_xing", "0", "-id3v2_version", "0", "-f", "mp3"])
            }
        }
        + [(48_000, "192k"), (24_000, "96k")].flatMap { rate, bits in
            [1, 2].map { channels in
                Case(
                    name: "layer II", container: .mpeg, channels: channels, rate: rate,
                    codec: ["-c:a", "mp2", "-b:a", bits, "-f", "mp2"])
            }
        }

    private static let others: [Case] = [1, 2, 6].flatMap { channels in
        [
            Case(
                name: "Opus", container: .ogg, channels: channels, rate: 48_000,
                codec: ["-c:a", "libopus", "-b:a", "\(64 * channels)k", "-f", "ogg"], reference: ["-c:a", "libopus"]),
            Case(
                name: "Vorbis", container: .ogg, channels: channels, rate: 48_000,
                codec: ["-c:a", "libvorbis", "-q:a", "5", "-f", "ogg"]),
            Case(name: "FLAC in Ogg", container: .ogg, channels: channels, codec: ["-c:a", "flac", "-f", "ogg"]),
            Case(name: "FLAC", container: .flac, channels: channels, codec: ["-c:a", "flac", "-f", "flac"]),
            Case(
                name: "FLAC of 24 bits", container: .flac, channels: channels, rate: 96_000,
                codec: ["-c:a", "flac", "-sample_fmt", "s32", "-f", "flac"]),
            Case(
                name: "AAC", container: .adts, channels: channels,
                codec: ["-c:a", "aac", "-b:a", "\(64 * channels)k", "-f", "adts"]),
        ]
    }

    @Test("The PCM of each codec equals that of ffmpeg from the first sample on", arguments: mpeg + others)
    func sameAsReference(_ given: Case) async throws {
        try await onThread {
            let file = try Encoded.tones(given.channels, given.codec, rate: given.rate)
            let stream = try FramedStream(file, in: given.container)
            let decoder = try Decoders.make(for: stream.format, atStart: true)
            let ours = try DecodedAudio(stream.frames, of: stream, by: decoder)
            let theirs = try Encoded.decoded(file, given.reference)
            #expect(ours.format == PCMFormat(sampleRate: given.rate, channels: given.channels))
            #expect(ours.isContinuous && ours.damaged == 0)
            #expect(signalToNoise(ours.values[...], theirs[...]) >= 60)
            // Each channel is compared by itself, because one may be faint.
            for channel in 0..<given.channels {
                func only(_ values: [Float]) -> ArraySlice<Float> {
                    stride(from: channel, to: values.count, by: given.channels).map { values[$0] }[...]
                }
                #expect(signalToNoise(only(ours.values), only(theirs)) >= 40, "channel \(channel)")
            }
            // ffmpeg may end earlier, if the file says so.
            #expect(ours.values.count >= theirs.count)
            #expect(ours.samples <= theirs.count / given.channels + 4_608)
        }
    }

    @Test("Layer I frames decode to the PCM of ffmpeg", arguments: [1, 2], [UInt8(0xFF), 0xF7])
    func layerI(channels: Int, version: UInt8) async throws {
        try await onThread {
            let file = LayerOneFrames.make(60, channels: channels, secondByte: version)
            let stream = try FramedStream(file, in: .mpeg)
            #expect(stream.format.codec == .mp1 && stream.frames.count == 60)
            let ours = try DecodedAudio(stream.frames, of: stream, by: Decoders.make(for: stream.format))
            let theirs = try Encoded.decoded(file, ["-f", "mp3"])
            #expect(ours.samples == 60 * 384 && ours.isContinuous && ours.instant == 0)
            #expect(signalToNoise(ours.values[...], theirs[...]) >= 60)
        }
    }

    @Test("Layer III comes out 529 samples late, and Opus begins after its pre-skip")
    func instants() async throws {
        try await onThread {
            let mp3 = try FramedStream(ReferenceProgramme(.init(.mp3(128), seconds: 2)).bytes, in: .mpeg)
            #expect(try DecodedAudio(mp3.frames, of: mp3, by: Decoders.make(for: mp3.format)).instant == -529)
            let opus = try FramedStream(
                ReferenceProgramme(.init(.opus(96), sampleRate: 48_000, seconds: 2)).bytes, in: .ogg)
            let whole = try DecodedAudio(opus.frames, of: opus, by: Decoders.make(for: opus.format))
            let begun = try DecodedAudio(opus.frames, of: opus, by: Decoders.make(for: opus.format, atStart: true))
            #expect(whole.instant == 0 && begun.instant == 312)
            #expect(whole.values[(312 * 2)...] == begun.values[...])
        }
    }
}

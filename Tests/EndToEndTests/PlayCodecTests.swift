// SPDX-License-Identifier: MIT

import Glibc
import TestSupport
import TestTools
import Testing

/// Every codec that can be recorded can also be played.
@Suite("What is heard of each codec")
struct PlayCodecTests {
    private struct Kind: Sendable, CustomTestStringConvertible {
        let name: String
        let encoding: ReferenceProgramme.Encoding
        let ending: String
        var rate = 44_100
        /// The signal-to-noise ratio that the bit rate and the codec's own noise allow, in dB.
        var cleanness = 60.0
        var testDescription: String { name }
    }

    private static let kinds = [
        Kind(name: "layer II", encoding: .mp2(192), ending: "mp2"),
        Kind(name: "layer III of a variable rate", encoding: .mp3Variable(quality: 4), ending: "mp3"),
        // A decoder that joins within the stream needs a moment to converge.
        Kind(name: "Opus", encoding: .opus(96), ending: "opus", rate: 48_000, cleanness: 40),
        Kind(name: "Vorbis", encoding: .vorbis(112), ending: "ogg"),
        // The programme is noise, and its part above 20 kHz does not pass the server's resampler.
        Kind(name: "FLAC in Ogg", encoding: .flac, ending: "ogg", cleanness: 35),
        Kind(name: "FLAC", encoding: .nativeFLAC, ending: "flac", cleanness: 35),
        // Noise substitution is random in each decoder.
        Kind(name: "AAC", encoding: .aac(128), ending: "aac", cleanness: 15),
    ]

    @Test("Every second of each codec is played as ffmpeg decodes it", arguments: kinds)
    private func heard(kind: Kind) async throws {
        let reference = try await ReferenceProgramme.make(.init(kind.encoding, sampleRate: kind.rate, seconds: 100))
        let expected = try await Decoded.channel(of: reference.bytes, ending: kind.ending, rate: kind.rate)
        let programme = try Broadcast(reference)
        let origin = try ScriptedOrigin(LiveScript(.stream(LiveStream(programme))))
        var options = PulseServer.Options()
        options.sampleRate = kind.rate
        let server = try await onThread { [options] in try PulseServer(options) }
        let monitor = try await onThread { try MonitorRecording(server) }
        let child = try Aircheck.start(["play", origin.url("/live")], environment: server.environment)
        let isHeard = try await onThread {
            monitor.waits(.seconds(60)) { Decoded.sound($0).count > 6 * kind.rate }
        }
        #expect(isHeard, "\(kind.name): \(child.errorSoFar)")
        #expect(try await child.outcome(after: SIGINT, within: .seconds(20)).succeeded)
        try await Decoded.expect(
            monitor.channel(0), in: expected, seconds: 6, rate: kind.rate, cleanness: kind.cleanness, kind.name)
    }
}

// SPDX-License-Identifier: MIT

import Foundation
import Instants
import RadioCore
import RadioFormats
import TestSupport
import TestTools
import Testing

@testable import Decoding

/// AAC decoding by an ffmpeg process, which may die.
struct AACTests {
    private static func stream(_ channels: Int = 2, rate: Int = 44_100, seconds: Int = 3) throws -> FramedStream {
        let arguments = ["-ac", "\(channels)", "-c:a", "aac", "-b:a", "64k", "-aac_pns", "0", "-f", "adts"]
        return try FramedStream(Encoded.noise(arguments, rate: rate, seconds: seconds), in: .adts)
    }

    @Test(
        "HE-AAC doubles the rate, and has two channels with parametric stereo",
        arguments: [(2, false), (1, false), (1, true)])
    func highEfficiency(channels: Int, hasParametricStereo: Bool) async throws {
        try await onThread {
            let plain = try Self.stream(channels, rate: 24_000)
            let file = HighEfficiency.make(
                plain.frames.map(\.bytes), channels: channels, hasParametricStereo: hasParametricStereo)
            let stream = try FramedStream(file, in: .adts)
            #expect(stream.format.sampleRate == 24_000 && stream.frames.count == plain.frames.count)
            let ours = try DecodedAudio(stream.frames, of: stream, by: Decoders.make(for: stream.format))
            let theirs = try Encoded.decoded(file, ["-f", "aac"])
            #expect(ours.format?.sampleRate == 48_000)
            // ffmpeg gives two channels for one as well, because parametric stereo may start at any time.
            #expect(ours.format?.channels == 2)
            #expect(ours.isContinuous && ours.instant == 0 && ours.samples == stream.frames.count * 2_048)
            #expect(signalToNoise(ours.values[...], theirs[...]) >= 60)
        }
    }

    @Test("An ffmpeg that is killed in mid-stream is replaced, and no audio is missing")
    func killed() async throws {
        try await onThread {
            let stream = try Self.stream(seconds: 5)
            let whole = try DecodedAudio(stream.frames, of: stream, by: AACDecoder(stream.format))
            let decoder = try AACDecoder(stream.format)
            var audio = DecodedAudio(rate: 44_100)
            for (number, frame) in stream.frames.enumerated() {
                try audio.put(frame, into: decoder)
                if number % 70 == 69 {
                    // The process is killed from outside, by its process ID.
                    let id = try #require(Self.children().first { Self.reads($0, decoder) })
                    kill(id, SIGKILL)
                }
            }
            try audio.finish(decoder)
            #expect(audio.isContinuous && audio.values.count == whole.values.count)
            #expect(signalToNoise(audio.values[...], whole.values[...]) >= 60)
        }
    }

    @Test("An ffmpeg that always crashes is given up after some restarts")
    func alwaysDies() async throws {
        try await onThread {
            let folder = try TemporaryFolder("aircheck-program")
            let path = try folder.write("ffmpeg", "#!/bin/sh\necho broken >&2\nexit 1\n")
            chmod(path, 0o755)
            let stream = try Self.stream()
            let decoder = try AACDecoder(stream.format, folders: folder.path)
            #expect(throws: DecodingError.failed("ffmpeg keeps crashing: broken")) {
                var audio = DecodedAudio(rate: 44_100)
                for _ in 0..<50 { for frame in stream.frames { try audio.put(frame, into: decoder) } }
            }
            // A decoder that has given up fails from then on.
            #expect(throws: DecodingError.self) { _ = try decoder.next() }
        }
    }

    @Test(
        "An ffmpeg that never answers is given up after a second try",
        arguments: ["cat >/dev/null; exec tail -f /dev/null", "exec tail -f /dev/null"], [false, true])
    func hangs(script: String, isShort: Bool) async throws {
        try await onThread {
            let folder = try TemporaryFolder("aircheck-program")
            let path = try folder.write("ffmpeg", "#!/bin/sh\n\(script)\n")
            chmod(path, 0o755)
            let stream = try Self.stream()
            let decoder = try AACDecoder(stream.format, folders: folder.path, patience: .milliseconds(100))
            var audio = DecodedAudio(rate: 44_100)
            let error = DecodingError.broken("ffmpeg does not answer", remedy: "check whether ffmpeg works alone")
            #expect(throws: error) {
                for frame in stream.frames.prefix(isShort ? 10 : .max) { try audio.put(frame, into: decoder) }
                try audio.finish(decoder)
            }
            #expect(audio.samples == 0)
        }
    }

    @Test("The error for a missing ffmpeg names its package")
    func missing() throws {
        let format = StreamFormat(codec: .aac, mpegVersion: .mpeg4, sampleRate: 44_100, channels: 2)
        let folder = try TemporaryFolder("aircheck-program")
        #expect(throws: DecodingError.missing(name: "ffmpeg", package: "ffmpeg")) {
            _ = try AACDecoder(format, folders: folder.path)
        }
    }

    @Test("Garbage is refused, and a frame with garbage inside costs only itself")
    func garbage() async throws {
        try await onThread {
            let stream = try Self.stream()
            var random = RadioCore.SplitMix64(seed: 21)
            let decoder = try AACDecoder(stream.format)
            var audio = DecodedAudio(rate: 44_100)
            for (number, frame) in stream.frames.enumerated() {
                var frame = frame
                if number % 9 == 5 {
                    for place in frame.bytes.indices.dropFirst(7) {
                        frame.bytes[place] = UInt8(truncatingIfNeeded: random.next())
                    }
                }
                try audio.put(frame, into: decoder)
                if number % 9 == 7 {
                    frame.bytes = (0..<300).map { _ in UInt8(truncatingIfNeeded: random.next()) }
                    try audio.put(frame, into: decoder)
                    frame.bytes = []
                    try audio.put(frame, into: decoder)
                }
            }
            try audio.finish(decoder)
            #expect(audio.damaged == stream.frames.count / 9 * 2 || audio.damaged == (stream.frames.count / 9 + 1) * 2)
            #expect(audio.isContinuous)
            // Each sample keeps its position up to the end.
            #expect(abs(audio.samples - stream.frames.count * 1_024) <= 4_096)
        }
    }

    @Test("The fuzzers' seeds for AAC decode, whole and damaged")
    func seeds() async throws {
        try await onThread {
            let seeds = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .appendingPathComponent("Seeds").path
            var random = RadioCore.SplitMix64(seed: 22)
            let names = try ["adts", "path", "recognition"].flatMap { folder in
                try FileManager.default.contentsOfDirectory(atPath: "\(seeds)/\(folder)").sorted()
                    .map { "\(seeds)/\(folder)/\($0)" }
            }
            for name in names {
                for stream in FramedStream.runs(try bytes(ofFile: name), in: .adts) {
                    let damaged = stream.frames.map { frame in
                        var frame = frame
                        let place = 7 + Int(random.next() % UInt64(max(1, frame.bytes.count - 7)))
                        if place < frame.bytes.count { frame.bytes[place] ^= UInt8(1 + random.next() % UInt64(255)) }
                        return frame
                    }
                    do {
                        let audio = try DecodedAudio(
                            stream.frames + damaged + stream.frames, of: stream, by: AACDecoder(stream.format))
                        #expect(audio.damaged == 0, "\(name)")
                    } catch is DecodingError where !name.contains("/adts/") {
                        // The decoder may give up on a seed that only resembles AAC.
                    }
                }
            }
        }
    }

    @Test("A decoder that is released ends its process")
    func letGo() async throws {
        try await onThread {
            let stream = try Self.stream()
            var decoder: AACDecoder? = try AACDecoder(stream.format)
            var audio = DecodedAudio(rate: 44_100)
            for frame in stream.frames { try audio.put(frame, into: #require(decoder)) }
            let id = try #require(decoder.flatMap { own in Self.children().first { Self.reads($0, own) } })
            decoder = nil
            #expect(waitUntil(.seconds(10)) { kill(id, 0) != 0 })
        }
    }

    /// The child processes of this process.
    private static func children() -> [pid_t] {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        return tasks.flatMap { task in
            let text = (try? bytes(ofFile: "/proc/self/task/\(task)/children")) ?? []
            return String(decoding: text, as: UTF8.self).split(separator: " ").compactMap { pid_t($0) }
        }
    }

    /// Whether a process writes into the pipe that this decoder reads.
    private static func reads(_ id: pid_t, _ decoder: AACDecoder) -> Bool {
        guard let number = decoder.outputDescriptor else { return false }
        func target(_ path: String) -> String {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) ?? ""
        }
        let pipe = target("/proc/self/fd/\(number)")
        return !pipe.isEmpty && target("/proc/\(id)/fd/1") == pipe
    }
}

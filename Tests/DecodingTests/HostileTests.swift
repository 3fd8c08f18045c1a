// SPDX-License-Identifier: MIT

import Foundation
import RadioCore
import RadioFormats
import TestSupport
import TestTools
import Testing

@testable import Decoding

/// Frames that no station should send. They must cause neither a trap nor an endless loop, and a good frame must decode
/// afterwards.
struct HostileTests {
    private static let encodings: [(ReferenceProgramme.Encoding, Container)] = [
        (.mp3(128), .mpeg), (.mp2(192), .mpeg), (.opus(96), .ogg), (.vorbis(128), .ogg), (.flac, .ogg),
        (.nativeFLAC, .flac),
    ]

    private static func programme(
        _ encoding: ReferenceProgramme.Encoding, _ container: Container
    ) throws -> FramedStream {
        try FramedStream(ReferenceProgramme(.init(encoding, sampleRate: 48_000, seconds: 2)).bytes, in: container)
    }

    /// Puts a frame, good or not, and returns the number of decoded samples.
    @discardableResult
    private static func put(_ frame: [UInt8], into decoder: any Decoding) throws -> Int {
        var count = 0
        do {
            _ = try frame.withUnsafeBytes { try decoder.put($0, at: 0) }
            while let block = try decoder.next() { count += block.count }
        } catch DecodingError.damagedFrame {}
        return count
    }

    /// Whether the decoder decodes good frames, whatever it got before.
    private static func recovers(_ decoder: any Decoding, _ stream: FramedStream) throws -> Bool {
        let frames = stream.frames.dropFirst(20).prefix(12)
        let count = try frames.reduce(0) { try $0 + put($1.bytes, into: decoder) }
        return count >= frames.reduce(0) { $0 + $1.samples } * 3 / 4
    }

    @Test("A decoder survives flipped bits and then decodes good frames", arguments: encodings)
    func flippedBits(_ encoding: ReferenceProgramme.Encoding, _ container: Container) async throws {
        try await onThread {
            let stream = try Self.programme(encoding, container)
            let decoder = try Decoders.make(for: stream.format)
            var random = RadioCore.SplitMix64(seed: 11)
            for round in 0..<6 {
                for frame in stream.frames {
                    var bytes = frame.bytes
                    for _ in 0...round * 3 {
                        let place = Int(random.next() % UInt64(bytes.count))
                        bytes[place] ^= 1 << UInt8(random.next() % UInt64(8))
                    }
                    try Self.put(bytes, into: decoder)
                }
            }
            #expect(try Self.recovers(decoder, stream))
        }
    }

    @Test("A decoder survives truncated frames, empty frames and noise", arguments: encodings)
    func cutShort(_ encoding: ReferenceProgramme.Encoding, _ container: Container) async throws {
        try await onThread {
            let stream = try Self.programme(encoding, container)
            let decoder = try Decoders.make(for: stream.format)
            var random = RadioCore.SplitMix64(seed: 12)
            for frame in stream.frames {
                try Self.put(Array(frame.bytes.prefix(Int(random.next() % UInt64(frame.bytes.count)))), into: decoder)
                try Self.put(frame.bytes + frame.bytes.prefix(9), into: decoder)
                try Self.put((0..<200).map { _ in UInt8(truncatingIfNeeded: random.next()) }, into: decoder)
            }
            try Self.put([], into: decoder)
            #expect(try Self.recovers(decoder, stream))
        }
    }

    @Test("A decoder survives frames of all formats")
    func mixedFormats() async throws {
        try await onThread {
            var streams = try Self.encodings.map { try Self.programme($0, $1) }
            for (rate, channels, bits) in [(44_100, 1, 64), (22_050, 2, 64), (32_000, 2, 96)] {
                streams.append(
                    try FramedStream(
                        ReferenceProgramme(.init(.mp3(bits), sampleRate: rate, channels: channels, seconds: 1)).bytes,
                        in: .mpeg))
            }
            var random = RadioCore.SplitMix64(seed: 13)
            for stream in streams {
                let decoder = try Decoders.make(for: stream.format)
                for _ in 0..<2_000 {
                    let other = streams[Int(random.next() % UInt64(streams.count))]
                    let frame = other.frames[Int(random.next() % UInt64(other.frames.count))]
                    try Self.put(frame.bytes, into: decoder)
                }
                #expect(try Self.recovers(decoder, stream), "\(stream.format.words)")
            }
        }
    }

    @Test(
        "The fuzzers' seeds, whole and damaged, do not trap and cost little memory",
        arguments: ["mpeg", "ogg", "flac", "path", "recognition"])
    func seeds(_ folder: String) async throws {
        try await onThread {
            let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .appendingPathComponent("Seeds/\(folder)").path
            let before = ProcessStatus()?.anonymousMemory ?? 0
            var decoded = 0
            for name in try FileManager.default.contentsOfDirectory(atPath: path).sorted() {
                let seed = try bytes(ofFile: path + "/" + name)
                for container in [Container.mpeg, .ogg, .flac] {
                    for stream in FramedStream.runs(seed, in: container) {
                        decoded += try Self.decodeTwice(stream)
                    }
                }
            }
            #expect(folder == "recognition" || folder == "path" || decoded > 0)
            #expect((ProcessStatus()?.anonymousMemory ?? 0) - before < 256 << 20)
        }
    }

    /// Decodes each frame as it is and with a changed byte. A stream may make a decoder fail, and no more.
    private static func decodeTwice(_ stream: FramedStream) throws -> Int {
        var random = RadioCore.SplitMix64(seed: 14)
        var count = 0
        do {
            let decoder = try Decoders.make(for: stream.format)
            for frame in stream.frames {
                count += try put(frame.bytes, into: decoder)
                var bytes = frame.bytes
                bytes[Int(random.next() % UInt64(bytes.count))] ^= UInt8(1 + random.next() % UInt64(255))
                count += try put(bytes, into: decoder)
            }
        } catch DecodingError.failed {}
        return count
    }

    @Test("Damaged header packets make no decoder, or one that fails", arguments: encodings)
    func headers(_ encoding: ReferenceProgramme.Encoding, _ container: Container) async throws {
        try await onThread {
            let stream = try Self.programme(encoding, container)
            var random = RadioCore.SplitMix64(seed: 15)
            for round in 0..<300 where !stream.format.headerPackets.isEmpty {
                var format = stream.format
                let number = round % format.headerPackets.count
                let place = Int(random.next() % UInt64(format.headerPackets[number].count))
                format.headerPackets[number][place] ^= UInt8(1 + random.next() % UInt64(255))
                if round % 5 == 0 { format.headerPackets[number].removeSubrange(place...) }
                guard let decoder = try? Decoders.make(for: format) else { continue }
                for frame in stream.frames.prefix(3) { try Self.put(frame.bytes, into: decoder) }
            }
        }
    }
}

// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats
import TestSupport
import Testing

@testable import Stations

/// Metadata whose length bytes are damaged on the way: nothing foreign may be delivered, and little may be missing
/// before the slip is noticed.
struct SlipTests {
    /// A programme whose frames are sent.
    struct Source: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let parameters: ReferenceProgramme.Parameters

        init(_ name: String, _ encoding: ReferenceProgramme.Encoding, sampleRate: Int = 44_100, channels: Int = 2) {
            testDescription = name
            parameters = .init(encoding, sampleRate: sampleRate, channels: channels, seconds: 12)
        }
    }

    static let sources = [
        Source("128 kbit/s", .mp3(128)),
        Source("128 kbit/s in frames of 384 bytes", .mp3(128), sampleRate: 48_000),
        Source("32 kbit/s mono", .mp3(32), channels: 1),
        Source("variable bit rate", .mp3Variable(quality: 4)),
        Source("layer II", .mp2(192), sampleRate: 48_000),
        Source("AAC", .aac(96)),
        Source("Opus", .opus(96), sampleRate: 48_000),
    ]

    @Test("A flipped metadata length byte is noticed, and no wrong frame is delivered before")
    func hundred() async throws {
        let programme = try await ReferenceProgramme.make(.init(.mp3(128), seconds: 12))
        let frames = try programme.checker().frames
        let body = InterleavedBody(programme.bytes[...], interval: 8_192)
        var random = SplitMix64(seed: 100)
        for flip in 0..<100 {
            // The last blocks stay intact, so that enough audio follows.
            let place = Int.random(in: 0..<body.lengths.count - 4, using: &random)
            let wrong = body.bytes[body.lengths[place]] ^ UInt8.random(in: 1...255, using: &random)
            let heard = UpstreamTranscript(
                body.flipped(place, to: wrong), interval: 8_192, seed: UInt64(flip), longest: 1_400)
            let said: Comment = "flip \(flip): block \(place) from \(body.bytes[body.lengths[place]]) to \(wrong)"
            let deviation = heard.deviation(from: frames)
            #expect(deviation.foreign == 0 && deviation.lost <= 12, said)
            // Bytes that the wrong length swallows cannot be judged before they have arrived.
            let start = body.lengths[place] + 16 * Int(wrong)
            let ended = try #require(heard.endedAfter, said)
            #expect(ended <= start + 2 * 8_192 + 4_080 + 1_400, said)
            guard case .slipped? = heard.end else {
                Issue.record("flip \(flip): \(String(describing: heard.end))")
                continue
            }
        }
    }

    @Test("No wrong frame is delivered, whatever a length byte was changed to", arguments: sources)
    func property(_ source: Source) async throws {
        let programme = try await ReferenceProgramme.make(source.parameters)
        let frames = try programme.checker().frames
        let encoding = programme.parameters.encoding
        var random = SplitMix64(seed: 7)
        for (interval, length, flips) in [
            (64, 12_000, 32), (1_000, 24_000, 32), (8_192, 60_000, 12), (16_000, 90_000, 8),
        ] {
            let body = InterleavedBody(programme.bytes.prefix(length), interval: interval)
            for flip in 0..<flips {
                let place = Int.random(in: body.lengths.indices, using: &random)
                let right = body.bytes[body.lengths[place]]
                // Every second wrong value is one of those that most likely pass for the right value.
                let near: [UInt8] = [right &+ 1, right &- 1, 0, 1]
                var wrong = flip % 2 == 0 ? near[flip / 2 % 4] : UInt8.random(in: 0...255, using: &random)
                if wrong == right { wrong ^= 0x10 }
                let heard = UpstreamTranscript(
                    body.flipped(place, to: wrong), interval: interval, type: encoding.contentType,
                    seed: UInt64(flip))
                let said: Comment = "interval \(interval), block \(place) from \(right) to \(wrong)"
                let deviation = heard.deviation(from: frames)
                #expect(deviation.foreign == 0 && deviation.lost <= 30, said)
            }
        }
    }

    @Test("A stream without a flip is delivered whole", arguments: sources)
    func control(_ source: Source) async throws {
        let programme = try await ReferenceProgramme.make(source.parameters)
        let frames = try programme.checker().frames
        for interval in [64, 1_000, 16_000] {
            let body = InterleavedBody(programme.bytes[...], interval: interval)
            let heard = UpstreamTranscript(
                body.bytes, interval: interval, type: programme.parameters.encoding.contentType, endsWithIt: true)
            #expect(heard.end == .complete && heard.firstForeign(frames) == nil)
            #expect(heard.frames.count == frames.count)
        }
    }

    @Test("C5: A connection that is cut in a length byte or in a block has not slipped")
    func cuts() {
        let programme = SampleProgramme(120)
        let frames = (0..<120).map { programme.frames($0..<$0 + 1)[...] }
        var random = SplitMix64(seed: 5)
        for cut in 0..<1_000 {
            // The stream begins at a random place, mostly inside a frame, as on a real server.
            let first = Int.random(in: 0..<programme.bytes.count / 2, using: &random)
            let body = InterleavedBody(programme.bytes[first...], interval: 1_000)
            let length = body.lengths.randomElement(using: &random) ?? 0
            let block = 16 * Int(body.bytes[length])
            let end = length + Int.random(in: 0...1 + block, using: &random)
            let heard = UpstreamTranscript(
                Array(body.bytes[..<end]), interval: 1_000, seed: UInt64(cut), endsWithIt: true)
            let start = Int(programme.frame(atOrAfter: first))
            #expect(heard.end == .complete, "cut \(cut)")
            #expect(heard.firstForeign(Array(frames[start...])) == nil, "cut \(cut)")
            #expect(heard.titles.allSatisfy { $0.hasPrefix("Title ") }, "cut \(cut)")
        }
    }
}

/// Damage that looks like a slip but is not one.
struct DamageBesideMetadataTests {
    private let programme = SampleProgramme(400)
    private var frames: [ArraySlice<UInt8>] { (0..<400).map { programme.frames($0..<$0 + 1)[...] } }

    @Test("Damaged audio is no slip, wherever it lies", arguments: [50, 39]) func header(frame: Int) {
        // Frame 39 lies across a block behind 16,384 bytes of audio, frame 50 between two blocks.
        let body = InterleavedBody(programme.bytes[...], interval: 8_192) { $0 == 0 ? "A" : nil }
        var bytes = body.bytes
        bytes[body.lengths[1] + (frame > 39 ? 1 : 0) + frame * 417 - 16_384] ^= 0xFF
        let heard = UpstreamTranscript(bytes, interval: 8_192)
        #expect(heard.end == nil)
        #expect(heard.firstForeign(Array(frames[..<frame] + frames[(frame + 1)..<399])) == nil)
        #expect(heard.frames.count == 398)
    }

    @Test("A sender whose blocks can never be read is tolerated") func unreadableBlocks() {
        // This title in UTF-16 has no end and cannot be read.
        let utf16 = Array("StreamTitle='".utf8) + "Übung".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        var bytes: [UInt8] = []
        for (number, start) in stride(from: 0, to: programme.bytes.count, by: 4_096).enumerated() {
            let piece = programme.bytes[start...].prefix(4_096)
            bytes += piece
            guard piece.count == 4_096 else { break }
            let text = number % 4 == 0 ? utf16 : []
            bytes += [UInt8((text.count + 15) / 16)] + text + [UInt8](repeating: 0, count: (16 - text.count % 16) % 16)
        }
        let heard = UpstreamTranscript(bytes, interval: 4_096)
        #expect(heard.end == nil && heard.firstForeign(frames) == nil && heard.frames.count == 399)
    }
}

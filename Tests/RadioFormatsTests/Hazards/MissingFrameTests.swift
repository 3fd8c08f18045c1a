// SPDX-License-Identifier: MIT

import RadioFormats
import TestSupport
import Testing

/// Whole frames that are missing inside one connection.
struct MissingFrameTests {
    private static let withReservoir: [ReferenceProgramme.Parameters] = [
        .init(.mp3(128), seconds: 30), .init(.mp3(64), seconds: 30),
        .init(.mp3(32), sampleRate: 22_050, channels: 1, seconds: 30),
        .init(.mp3Variable(quality: 4), seconds: 30),
    ]

    @Test("B16: frames missing where the bit reservoir grew are told, at their place only", arguments: withReservoir)
    func missingFramesAreTold(_ parameters: ReferenceProgramme.Parameters) async throws {
        let frames = try await ReferenceProgramme.make(parameters).checker().frames.map { Array($0) }
        var seen = 0
        var cuts = 0
        for count in 1...20 {
            for place in stride(from: 150 + count, to: 600, by: 83) {
                let left = frames[..<place] + frames[(place + count)...]
                let said = FramerTranscript(of: [left.flatMap { $0 }[...]], by: MPEGAudioFramer())
                #expect(said.frames.count == left.count)
                #expect(said.missing.allSatisfy { $0 == nil }, "nothing says how many")
                #expect(said.missing.count <= 1 && said.discontinuities == said.missing.count)
                #expect(said.framesBeforeMissing.allSatisfy { $0 == place }, "\(count) frames from \(place) on")
                seen += said.missing.count
                cuts += 1
            }
        }
        // Where it shrank, the rest follows as if nothing had been there.
        #expect(seen > cuts / 4, "\(seen) of \(cuts)")
    }

    @Test("B16: nothing is told of streams that are whole, from any frame on")
    func wholeStreamsAreNot() async throws {
        let encodings: [ReferenceProgramme.Parameters] =
            Self.withReservoir + [
                .init(.mp3(320), sampleRate: 48_000, seconds: 10), .init(.mp3(128), seconds: 10, usesReservoir: false),
                .init(.mp2(192), sampleRate: 48_000, seconds: 10), .init(.mp3Variable(quality: 0), seconds: 20),
                .init(.mp3(8), sampleRate: 8_000, channels: 1, seconds: 20),
            ]
        for parameters in encodings {
            let frames = try await ReferenceProgramme.make(parameters).checker().frames.map { Array($0) }
            for first in stride(from: 0, to: frames.count, by: max(1, frames.count / 12)) {
                let said = FramerTranscript(of: [frames[first...].flatMap { $0 }[...]], by: MPEGAudioFramer())
                #expect(said.discontinuities == 0, "\(parameters.encoding) from frame \(first) on")
            }
        }
    }

    @Test("B16: an encoder that begins anew, another bit rate, another format and files with tags are no loss")
    func changesAreNoLoss() async throws {
        let tag = ID3v2Tag(frames: [.text(id: "TIT2", "x")]).encoded(size: 100)
        var bytes: [UInt8] = []
        let parts: [ReferenceProgramme.Parameters] = [
            .init(.mp3(128), seconds: 8), .init(.mp3(64), seconds: 8), .init(.mp3(128), seconds: 8, seed: 2),
            .init(.mp3(128), sampleRate: 48_000, seconds: 8), .init(.mp3Variable(quality: 4), seconds: 8),
        ]
        for parameters in parts { bytes += try await ReferenceProgramme.make(parameters).bytes }
        // Files that were cut out of others begin with a frame that reaches back.
        let frames = try await ReferenceProgramme.make(parts[0]).checker().frames.map { Array($0) }
        for first in [60, 91, 122] { bytes += tag + frames[first...].flatMap { $0 } }
        let said = FramerTranscript(of: [bytes[...]], by: MPEGAudioFramer())
        #expect(said.discontinuities == 0 && said.accounted == bytes.count)
    }

    @Test("B16: a constant bit rate without a reservoir tells nothing")
    func withoutReservoirNothingIsKnown() async throws {
        let programme = try await ReferenceProgramme.make(.init(.mp3(128), seconds: 10, usesReservoir: false))
        let frames = try programme.checker().frames.map { Array($0) }
        let left = frames[..<200] + frames[210...]
        let said = FramerTranscript(of: [left.flatMap { $0 }[...]], by: MPEGAudioFramer())
        #expect(said.frames.count == left.count && said.discontinuities == 0)
    }
}

extension FramerTranscript {
    /// How many frames came before each loss.
    fileprivate var framesBeforeMissing: [Int] {
        var count = 0
        var before: [Int] = []
        for entry in entries {
            switch entry {
            case .frame: count += 1
            case .missing: before.append(count)
            case .format, .skipped, .title, .discontinuity: break
            }
        }
        return before
    }
}

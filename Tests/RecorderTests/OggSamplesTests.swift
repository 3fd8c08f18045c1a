// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats
import Recorder
import TestSupport
import TestTools
import Testing

/// What a decoder makes of a recording, compared sample by sample with what it makes of the source.
struct OggSamplesTests {
    static let programmes: [ReferenceProgramme.Parameters] = [
        .init(.opus(96), sampleRate: 48_000, seconds: 12), .init(.vorbis(128), seconds: 12), .init(.flac, seconds: 12),
    ]

    @Test("B22: A file that is recorded from its beginning plays the same samples as its source", arguments: programmes)
    func wholeFile(_ parameters: ReferenceProgramme.Parameters) async throws {
        let programme = try await ReferenceProgramme.make(parameters)
        let rig = try RecorderRig { $0.policy = .none }
        rig.play(programme.bytes, with: OggFramer(), as: .finite)
        let path = try #require(rig.stop().files.first)
        let (source, recorded) = (try await Self.decoded(programme.path), try await Self.decoded(path))
        #expect(source.count == 12 * parameters.sampleRate)
        #expect(recorded.count == source.count && recorded == source)
    }

    @Test("B22: A file from the middle plays like its source, once the decoder has converged", arguments: programmes)
    func segments(_ parameters: ReferenceProgramme.Parameters) async throws {
        let programme = try await ReferenceProgramme.make(parameters)
        let rig = try RecorderRig { $0.policy = .period(.seconds(5)) }
        rig.play(programme.bytes, with: OggFramer(), as: .finite)
        let report = rig.stop()
        #expect(report.segments.count == 3)
        let source = try await Self.decoded(programme.path)
        let lengths = Self.lengths(of: programme)

        let isOpus = parameters.encoding == .opus(96)
        // The number of samples at the source's beginning that are not to be played, according to the encoder.
        let skipped = isOpus ? lengths.reduce(0, +) - source.count : 0
        var first = 0
        for (number, segment) in report.segments.enumerated() {
            let recorded = try await Self.decoded(segment.path)
            var start = lengths[..<first].reduce(0, +)
            // The comparison begins later, because an Opus decoder needs 80 ms to converge, and the first Vorbis packet
            // has nothing to overlap with.
            if number > 0, isOpus { start += 3_840 }
            if number > 0, case .vorbis = parameters.encoding { start += lengths[first] }
            let end = lengths[..<(first + Int(segment.frames))].reduce(0, +)
            let expected = source[max(0, start - skipped)..<end - skipped]
            #expect(recorded.count == expected.count, "segment \(number)")
            let errors = zip(recorded, expected).map { Self.difference($0, $1) }
            // Opus converges gradually, so larger errors are allowed in the first second.
            #expect((errors.max() ?? 0) <= (isOpus ? 256 : 0), "segment \(number)")
            #expect((errors.dropFirst(48_000).max() ?? 0) <= (isOpus ? 8 : 0), "segment \(number)")
            first += Int(segment.frames)
        }
        #expect(first == lengths.count)
    }

    /// How many samples a decoder makes of each packet.
    static func lengths(of programme: ReferenceProgramme) -> [Int] {
        var framer = OggFramer()
        programme.bytes.withUnsafeBytes { framer.append($0) }
        var lengths: [Int] = []
        while let event = framer.next() { if case .frame(let frame) = event { lengths.append(frame.samples) } }
        return lengths
    }

    /// What both channels have at one moment.
    typealias Sample = SIMD2<Int16>

    /// The larger of both channels' differences.
    static func difference(_ first: Sample, _ second: Sample) -> Int {
        max(abs(Int(first.x) - Int(second.x)), abs(Int(first.y) - Int(second.y)))
    }

    /// Decodes a file into stereo samples of 16 bits.
    static func decoded(_ path: String) async throws -> [Sample] {
        let outcome = try await ChildProcess(
            .ffmpeg, ["-v", "error", "-nostdin", "-i", path, "-f", "s16le", "-c:a", "pcm_s16le", "-"]
        ).outcome(within: .seconds(60))
        #expect(outcome.succeeded && outcome.standardError == "")
        return outcome.standardOutput.withUnsafeBytes { Array($0.bindMemory(to: Sample.self)) }
    }
}

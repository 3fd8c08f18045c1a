// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats
import Recorder
import TestSupport
import TestTools
import Testing

/// Real programmes of every format are recorded, and the files are then read by other people's programs.
@Suite("Recorded files")
struct FormatTests {
    static let programmes: [ReferenceProgramme.Parameters] = [
        .init(.mp3(128), seconds: 12), .init(.mp3(32), sampleRate: 22_050, channels: 1, seconds: 12),
        .init(.mp3(320), sampleRate: 48_000, seconds: 12), .init(.mp3Variable(quality: 4), seconds: 12),
        .init(.mp2(192), sampleRate: 48_000, seconds: 12), .init(.aac(96), seconds: 12),
        .init(.opus(96), sampleRate: 48_000, seconds: 12), .init(.vorbis(128), seconds: 12),
        .init(.flac, seconds: 12), .init(.nativeFLAC, seconds: 12),
    ]

    @Test(
        "A recorded file has every frame once, and plays without a complaint for its stated length",
        arguments: programmes)
    func everyFormat(parameters: ReferenceProgramme.Parameters) async throws {
        let programme = try await ReferenceProgramme.make(parameters)
        let rig = try RecorderRig { $0.policy = .period(.seconds(5)) }
        rig.play(programme.bytes, with: Self.framer(for: parameters.encoding))
        let report = rig.stop()
        #expect(report.files.count == 3)

        let check = try programme.checker().check(try report.files.map(bytes(ofFile:)))
        #expect(check.isExact, "\(check)")
        #expect(check.places.count == Int(report.frames))

        for segment in report.segments {
            let decoding = try await Self.run(.ffmpeg, ["-v", "error", "-i", segment.path, "-f", "null", "-"])
            #expect(decoding.succeeded && decoding.standardError.isEmpty, "\(decoding.standardError)")
            if case .mp3 = parameters.encoding { try await Self.decodeWithMPG123(segment.path) }
            if case .nativeFLAC = parameters.encoding {
                let test = try await Self.run(.flac, ["-t", "-s", segment.path])
                #expect(test.succeeded, "\(test.standardError)")
            }
            let packets = try await Self.probe("stream=nb_read_packets", segment.path, ["-count_packets"])
            #expect(packets == Double(segment.frames))
            // ADTS has no field for a length: programs guess it from the bit rate.
            if case .aac = parameters.encoding { continue }
            let duration = try await Self.probe("format=duration", segment.path)
            #expect(abs(duration - segment.seconds) < 0.03, "\(duration) s, and \(segment.seconds) s recorded")
        }
    }

    @Test("A pure file has no tags of ours", arguments: programmes)
    func pure(parameters: ReferenceProgramme.Parameters) async throws {
        let programme = try await ReferenceProgramme.make(parameters)
        for isPure in [false, true] {
            let rig = try RecorderRig { $0.isPure = isPure }
            rig.play(programme.bytes, with: Self.framer(for: parameters.encoding))
            let path = try #require(rig.stop().files.first)
            let options = ["-v", "error", "-show_entries", "format_tags:stream_tags", "-of", "json", path]
            let tags = try await Self.run(.ffprobe, options).text
            #expect(tags.contains("FIP") == !isPure, "\(tags)")
        }
    }

    @Test(
        "A file ends properly when the disk is full for a while, and the next file begins properly",
        arguments: programmes)
    func fullDisk(parameters: ReferenceProgramme.Parameters) async throws {
        let programme = try await ReferenceProgramme.make(parameters)
        let rig = try RecorderRig { $0.policy = .none }
        rig.fillDisk(from: .seconds(2), to: .milliseconds(4_700))
        rig.fillDisk(from: .milliseconds(8_200), to: .milliseconds(9_500))
        rig.play(programme.bytes, with: Self.framer(for: parameters.encoding))
        let report = rig.stop()
        #expect(report.files.count == 3 && report.gaps.isEmpty)
        let check = try programme.checker().check(try report.files.map(bytes(ofFile:)))
        #expect(check.isExact, "\(check)")
        #expect(check.places.count == Int(report.frames))
        for path in report.files {
            let decoding = try await Self.run(.ffmpeg, ["-v", "error", "-i", path, "-f", "null", "-"])
            #expect(decoding.succeeded && decoding.standardError.isEmpty, "\(decoding.standardError)")
        }
    }

    static func framer(for encoding: ReferenceProgramme.Encoding) -> any Framer {
        switch encoding {
        case .mp3, .mp3Variable, .mp2: MPEGAudioFramer()
        case .aac: ADTSFramer()
        case .opus, .vorbis, .flac: OggFramer()
        case .nativeFLAC: FLACFramer()
        }
    }

    private static func decodeWithMPG123(_ path: String) async throws {
        let outcome = try await run(.mpg123, ["-t", "-q", path])
        #expect(outcome.succeeded && outcome.standardError.isEmpty, "\(outcome.standardError)")
    }

    private static func probe(_ entry: String, _ path: String, _ options: [String] = []) async throws -> Double {
        let outcome = try await run(
            .ffprobe, ["-v", "error"] + options + ["-show_entries", entry, "-of", "csv=p=0", path])
        let line = outcome.text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
        return Double(line) ?? -1
    }

    static func run(_ tool: Tool, _ arguments: [String]) async throws -> ChildProcess.Outcome {
        try await ChildProcess(tool.path(), arguments).outcome(within: .seconds(60))
    }
}

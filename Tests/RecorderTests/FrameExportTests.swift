// SPDX-License-Identifier: MIT

import EventLoop
import EventLoopTesting
import Glibc
import Instants
import RadioCore
import RadioFormats
import Recorder
import Stations
import Storage
import TestSupport
import TestTools
import Testing

/// Spans of recordings without pages, exported into one file and compared with the source sample by sample.
struct FrameExportTests {
    /// Exports the audio between two times, counted from the beginning of the recording.
    private static func export(
        _ recording: LibraryRecording, of rig: RecorderRig, _ seconds: ClosedRange<Double>, as name: String
    ) throws -> RecordingExporter.Exported {
        let began = try #require(recording.segments.first?.sidecar?.at?.instant)
        let excerpt = Excerpt(
            recording, from: began + .seconds(seconds.lowerBound), until: began + .seconds(seconds.upperBound))
        return try RecordingExporter(path: rig.folder.path).export(excerpt.withPreroll, toFile: rig.folder.file(name))
    }

    @Test(
        "An MP3 export that is cut anywhere, even where a file begins, is heard from its first frame on",
        arguments: [
            ReferenceProgramme.Parameters(.mp3(128), seconds: 12), .init(.mp3Variable(quality: 4), seconds: 12),
            .init(.mp3(32), sampleRate: 22_050, channels: 1, seconds: 12),
        ])
    func reservoir(_ parameters: ReferenceProgramme.Parameters) async throws {
        let (programme, rig, recording) = try await RecorderRig.threeFiles(parameters)
        let source = try await Self.samples(programme.path)
        let samples = parameters.sampleRate < 32_000 ? 576 : 1_152
        let frame = parameters.channels * samples
        // The sound before a frame reaches 576 samples into it, and a filter remembers 480 more.
        let faded = (1_056 + samples - 1) / samples * frame
        let sources = try programme.checker()
        let borders = try recording.segments.map { try Double(#require($0.sidecar).samples) }
        let second = borders[0] / Double(parameters.sampleRate)
        var led = 0
        for start in [3.3, 3.33, 3.36, second, second + 0.03, second + 0.06] {
            let exported = try Self.export(recording, of: rig, start...11, as: "out.mp3")
            let path = rig.folder.file("out.mp3")
            let (bytes, heard) = (try rig.folder.read("out.mp3"), try await Self.samples(path))
            #expect(try await onThread { try MediaProbe.mpg123Warnings(path) } == "")

            // Before the span there may be silent frames that are not the station's.
            let silence = Int64(bytes.count) - exported.bytes
            let wanted = Array(bytes[Int(silence)...])
            let places = try #require(sources.check(wanted).exactStretch)
            #expect(places.count == Int(exported.frames) && exported.missing == 0)
            let lead = heard.count - places.count * frame
            #expect((silence > 0) == (lead > 0) && lead.isMultiple(of: frame) && lead / frame < 10)
            if lead > 0 { led += 1 }
            #expect(heard[..<lead].allSatisfy { abs(Int($0)) <= 1 })
            let from = places.lowerBound * frame + faded
            let isSame = heard[(lead + faded)...] == source[from..<(places.upperBound + 1) * frame]
            #expect(isSame, "from \(start)")
        }
        #expect(led > 2)
    }

    @Test(
        "A FLAC export is cut and joined under a head of its own, which states its length",
        arguments: [3.3...8.1, 0...20])
    func flac(_ seconds: ClosedRange<Double>) async throws {
        let (programme, rig, recording) = try await RecorderRig.threeFiles(.init(.nativeFLAC, seconds: 12))
        let exported = try Self.export(recording, of: rig, seconds, as: "out.flac")
        let path = rig.folder.file("out.flac")
        let report = try programme.checker().check(try rig.folder.read("out.flac"))
        let places = try #require(report.exactStretch, "\(report)")
        #expect(places.count == Int(exported.frames) && exported.missing == 0)
        let (source, heard) = (try await Self.samples(programme.path), try await Self.samples(path))
        #expect(heard.count == 2 * Int(exported.samples))
        // All blocks have the same length, except for the last one of the source.
        let block = seconds.upperBound < 12 ? Int(exported.samples) / places.count : 0
        let isSame = heard[...] == source.dropFirst(2 * block * places.lowerBound).prefix(heard.count)
        #expect(isSame)
        let test = try await ChildProcess(.flac, ["-t", "-s", path]).outcome(within: .seconds(60))
        #expect(test.succeeded, "\(test.standardError)")
        let description = try await onThread { try MediaProbe.describe(path) }
        #expect(abs(description.seconds - Double(exported.samples) / 44_100) < 0.001)
    }

    @Test("The times of an export are right even in a file that begins after a gap")
    func gap() throws {
        let rig = try RecorderRig(playing: .seconds(4)) { $0.policy = .period(.seconds(5)) }
        rig.hub.report(.gap(Gap(at: rig.reactor.wallNow, length: .seconds(3), cause: "the server went away")))
        rig.pass(.seconds(3))
        rig.settleAirTime()
        let again = rig.reactor.wallNow
        _ = rig.stop(after: .seconds(2))
        let library = Library(path: rig.folder.path)
        let recording = library.recording(of: try #require(try library.page(atMost: 1).segments.first))
        try #require(recording.segments.count == 2)
        let sidecar = try #require(recording.segments[1].sidecar)
        #expect(sidecar.gaps.map(\.position) == [0])
        #expect(try abs((#require(sidecar.at).instant - again).inSeconds) < 0.03)
        let excerpt = Excerpt(recording, from: again + .seconds(1), until: nil)
        // One second is 38.3 frames.
        #expect(excerpt.parts.count == 1 && (38...40).contains(excerpt.parts[0].frames.lowerBound), "\(excerpt.parts)")
    }

    /// The samples of all channels, 16 bits each, as ffmpeg decodes them. Fails if ffmpeg complains.
    private static func samples(_ path: String) async throws -> [Int16] {
        let outcome = try await ChildProcess(
            .ffmpeg, ["-v", "error", "-nostdin", "-i", path, "-f", "s16le", "-c:a", "pcm_s16le", "-"]
        ).outcome(within: .seconds(60))
        #expect(outcome.succeeded && outcome.standardError == "", "\(outcome.standardError)")
        return outcome.standardOutput.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
    }
}

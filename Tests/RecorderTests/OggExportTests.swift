// SPDX-License-Identifier: MIT

import Glibc
import Instants
import RadioCore
import RadioFormats
import Recorder
import Storage
import TestSupport
import TestTools
import Testing

/// The files of a recording, exported into one and compared with the source sample by sample.
struct OggExportTests {
    private static func export(_ plan: Excerpt, of rig: RecorderRig) throws -> (path: String, frames: Int64) {
        let path = rig.folder.file("out.ogg")
        let exported = try RecordingExporter(path: rig.folder.path).export(plan, toFile: path)
        #expect(exported.missing == 0)
        return (path, exported.frames)
    }

    @Test(
        "B22: All files of a recording become one file that plays like its source",
        arguments: OggSamplesTests.programmes)
    func wholeRecording(_ parameters: ReferenceProgramme.Parameters) async throws {
        let (programme, rig, recording) = try await RecorderRig.threeFiles(parameters, as: .finite)
        let (path, frames) = try Self.export(Excerpt(recording, from: nil, until: nil), of: rig)
        let report = try programme.checker().check(try rig.folder.read("out.ogg"))
        #expect(report.exactStretch == 0...Int(frames) - 1, "\(report)")
        let source = try await OggSamplesTests.decoded(programme.path)
        let exported = try await OggSamplesTests.decoded(path)
        #expect(exported.count == source.count && exported == source)
        #expect(try MediaProbe.describe(path).tags["artist"] == "FIP")
    }

    @Test(
        "B22: An exported span across files plays like its source, once the decoder has converged",
        arguments: OggSamplesTests.programmes, [3.3...8.1, 3.3...11.2, 5...10])
    func span(_ parameters: ReferenceProgramme.Parameters, _ seconds: ClosedRange<Double>) async throws {
        let (programme, rig, recording) = try await RecorderRig.threeFiles(parameters, as: .live)
        let began = try #require(recording.segments.first?.sidecar?.at?.instant)
        let plan = Excerpt(
            recording, from: began + .seconds(seconds.lowerBound), until: began + .seconds(seconds.upperBound))
        let (path, frames) = try Self.export(plan, of: rig)
        let report = try programme.checker().check(try rig.folder.read("out.ogg"))
        let places = try #require(report.exactStretch, "\(report)")
        #expect(places.count == Int(frames))

        let lengths = OggSamplesTests.lengths(of: programme)
        let source = try await OggSamplesTests.decoded(programme.path)
        let exported = try await OggSamplesTests.decoded(path)
        var start = lengths[..<places.lowerBound].reduce(0, +)
        let rate = Double(parameters.sampleRate)
        #expect(abs(Double(start) / rate - seconds.lowerBound) < 0.2)
        let end = lengths[...places.upperBound].reduce(0, +)
        #expect(abs(Double(end) / rate - seconds.upperBound) < 0.2)
        let isOpus = parameters.encoding == .opus(96)
        let skipped = isOpus ? lengths.reduce(0, +) - source.count : 0
        // The comparison begins later, because an Opus decoder needs 80 ms to converge, and the first Vorbis packet has
        // nothing to overlap with.
        if isOpus { start += 3_840 }
        if case .vorbis = parameters.encoding { start += lengths[places.lowerBound] }
        let expected = source[(start - skipped)..<(end - skipped)]
        #expect(exported.count == expected.count)
        let errors = zip(exported, expected).map { OggSamplesTests.difference($0, $1) }
        #expect((errors.max() ?? 0) <= (isOpus ? 256 : 0))
        #expect((errors.dropFirst(48_000).max() ?? 0) <= (isOpus ? 8 : 0))
    }
}

// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import RadioFormats
import Testing

/// Which frames were on air in a span.
struct ExportPlanTests {
    private static let start = WallInstant("2026-11-25T20:00:00Z")
    private static let format = StreamFormat(codec: .mp3, mpegVersion: .mpeg1, sampleRate: 48_000, channels: 2)

    /// A file of 100 frames of 24 ms.
    private static func segment(_ number: Int, at offset: Duration, gaps: [(Int64, Int64)] = []) -> LibrarySegment {
        let at = CivilTime(start + offset, utcOffset: 0)
        var sidecar = Sidecar(format: format, at: at, frames: 100, bytes: 38_400, samples: 115_200, state: .complete)
        sidecar.recording = "r"
        sidecar.number = number
        sidecar.gaps = gaps.map { Sidecar.Gap(at: at, milliseconds: $1, cause: "", tried: [], position: $0) }
        return LibrarySegment(
            folders: [], base: "s\(number)", audio: .init(fileExtension: "mp3", bytes: 38_400, isPart: false),
            description: .sidecar(sidecar))
    }

    private static func plan(_ segments: [LibrarySegment], _ from: Double?, _ until: Double?) -> [Range<Int64>] {
        let recording = LibraryRecording(id: "r", segments: segments)
        return ExportPlan(
            recording, from: from.map { start + .seconds($0) }, until: until.map { start + .seconds($0) }
        ).parts.map { $0.frames.clamped(to: 0..<100) }
    }

    @Test func `frames across files, from the first that begins in the span to the last`() {
        let files = [Self.segment(1, at: .zero), Self.segment(2, at: .milliseconds(2_400))]
        #expect(Self.plan(files, nil, nil) == [0..<100, 0..<100])
        #expect(Self.plan(files, 1.2, 3.6) == [50..<100, 0..<50])
        #expect(Self.plan(files, 1.201, 3.601) == [51..<100, 0..<51])
        #expect(Self.plan(files, 2.4, nil) == [0..<100])
        #expect(Self.plan(files, nil, 2.4) == [0..<100])
        #expect(Self.plan(files, 4.8, nil).isEmpty && Self.plan(files, nil, 0).isEmpty)
        #expect(Self.plan(files, -100, 100) == [0..<100, 0..<100])
    }

    @Test func `what is missing takes its time`() {
        // After 50 frames 1.2 s are missing, and after 75 no time at all.
        let files = [Self.segment(1, at: .zero, gaps: [(50, 1_200), (75, 0)])]
        #expect(Self.plan(files, 1.0, 2.0) == [42..<50])
        #expect(Self.plan(files, 1.2, 2.4).isEmpty)
        #expect(Self.plan(files, 2.4, 2.424) == [50..<51])
        #expect(Self.plan(files, 3.0, nil) == [75..<100])
        #expect(Self.plan(files, nil, 3.024) == [0..<76])
    }

    @Test func `Opus begins as much earlier as a decoder needs to converge`() {
        let at = CivilTime(Self.start, utcOffset: 0)
        let format = StreamFormat(codec: .opus, sampleRate: 48_000, channels: 2)
        let segments = [1, 2].map { number in
            var sidecar = Sidecar(format: format, at: at, frames: 100, bytes: 38_400, samples: 96_000, state: .complete)
            (sidecar.recording, sidecar.number) = ("r", number)
            return LibrarySegment(
                folders: [], base: "s\(number)", audio: .init(fileExtension: "opus", bytes: 40_000, isPart: false),
                description: .sidecar(sidecar))
        }
        let recording = LibraryRecording(id: "r", segments: segments)
        for (start, first) in [(1.0, 46), (0.06, 0), (0, 0)] as [(Double, Int64)] {
            let plan = ExportPlan(recording, from: Self.start + .seconds(start), until: Self.start + .seconds(1.2))
            #expect(plan.withPreroll.parts[0].frames == first..<60)
            #expect(plan.withPreroll.parts[1] == plan.parts[1])
        }
    }
}

// SPDX-License-Identifier: MIT

import Instants
import RadioFormats
import TestSupport
import Testing

@testable import RadioCore
@testable import Storage

/// Which frames an export of a time span takes.
struct ExcerptTests {
    private static let start = WallInstant("2026-11-25T20:00:00Z")
    private static let format = StreamFormat(codec: .mp3, mpegVersion: .mpeg1, sampleRate: 48_000, channels: 2)

    /// A file of 100 frames of 24 ms.
    private static func segment(
        _ number: Int, at offset: Duration, gaps: [(Int64, Int64)] = [], of recording: String = "r",
        step: (Int64, Int64)? = nil
    ) -> LibrarySegment {
        let at = CivilTime(start + offset, utcOffset: 0)
        var sidecar = Sidecar(.complete, at: at, frames: 100, bytes: 38_400, format: format)
        sidecar.recording = recording
        sidecar.number = number
        sidecar.clockStep = step.map { Sidecar.ClockStep(position: $0, milliseconds: $1) }
        sidecar.gaps = gaps.map { Sidecar.Gap(at: at, milliseconds: $1, cause: "", tried: [], position: $0) }
        return LibrarySegment(
            folders: [], base: "s\(number)", audio: .init(fileExtension: "mp3", bytes: 38_400, isPart: false),
            description: .sidecar(sidecar))
    }

    private static func excerpt(_ segments: [LibrarySegment], _ from: Double?, _ until: Double?) -> [Range<Int64>] {
        let recording = LibraryRecording(id: "r", segments: segments)
        return Excerpt(
            recording, from: from.map { start + .seconds($0) }, until: until.map { start + .seconds($0) }
        ).parts.map { $0.frames.clamped(to: 0..<100) }
    }

    @Test("An export takes the frames that begin in the span, across files") func acrossFiles() {
        let files = [Self.segment(1, at: .zero), Self.segment(2, at: .milliseconds(2_400))]
        #expect(Self.excerpt(files, nil, nil) == [0..<100, 0..<100])
        #expect(Self.excerpt(files, 1.2, 3.6) == [50..<100, 0..<50])
        #expect(Self.excerpt(files, 1.201, 3.601) == [51..<100, 0..<51])
        #expect(Self.excerpt(files, 2.4, nil) == [0..<100])
        #expect(Self.excerpt(files, nil, 2.4) == [0..<100])
        #expect(Self.excerpt(files, 4.8, nil).isEmpty && Self.excerpt(files, nil, 0).isEmpty)
        #expect(Self.excerpt(files, -100, 100) == [0..<100, 0..<100])
    }

    @Test("A file without a number has the place of its air time: the beginning of a show comes first") func beginning()
    {
        var beginning = Self.segment(9, at: .seconds(-2.4))
        guard var sidecar = beginning.sidecar else { return }
        sidecar.number = nil
        beginning.description = .sidecar(sidecar)
        let (first, second) = (Self.segment(1, at: .zero), Self.segment(2, at: .milliseconds(2_400)))
        let recording = LibraryRecording(id: "r", segments: [second, beginning, first])
        #expect(recording.segments.map(\.base) == ["s9", "s1", "s2"])
        // A clock that was set back does not change the order in which numbered files were recorded.
        let late = Self.segment(3, at: .seconds(-30))
        let stepped = LibraryRecording(id: "r", segments: [late, second, first])
        #expect(stepped.segments.map(\.base) == ["s1", "s2", "s3"])
    }

    @Test("Where it is known which frames two recordings share, the clock does not matter") func sharedFrames() {
        let files = [Self.segment(1, at: .zero), Self.segment(1, at: .milliseconds(1_800), of: "second")]
        for shared in [Int64(0), 17, 100] {
            let excerpt = Excerpt(files, from: nil, until: nil) { _, _ in 0..<shared }
            #expect(excerpt.parts.map { $0.frames.lowerBound } == (shared == 100 ? [0] : [0, shared]))
        }
        // Frames that precede those of the first recording come first.
        let excerpt = Excerpt(files, from: nil, until: nil) { _, _ in 3..<40 }
        #expect(excerpt.parts.map(\.segment) == [files[1], files[0], files[1]])
        #expect(excerpt.parts.map(\.known) == [0..<3, 0..<100, 40..<100])
    }

    @Test("Where recordings overlap, an export takes each frame from the first recording that has it")
    func overlappingRecordings() {
        func excerpt(_ segments: [LibrarySegment], _ span: Range<Double>) -> [Range<Int64>] {
            Excerpt(
                segments, from: Self.start + .seconds(span.lowerBound), until: Self.start + .seconds(span.upperBound)
            ).parts.map { $0.frames.clamped(to: 0..<100) }
        }
        let log = "log"
        // Each recording counts its files from one, so their numbers say nothing about the order.
        let files = [
            Self.segment(7, at: .zero, of: log), Self.segment(2, at: .milliseconds(1_200), of: "second"),
            Self.segment(1, at: .milliseconds(1_800), of: "third"), Self.segment(8, at: .milliseconds(2_400), of: log),
        ]
        #expect(excerpt(files, 0..<10) == [0..<100, 50..<100, 75..<100, 75..<100])
        #expect(excerpt(files, 1.2..<3.0) == [50..<100, 50..<75])
        // The files of one recording follow each other exactly, whatever their times say.
        let early = Self.segment(8, at: .milliseconds(2_376), of: log)
        #expect(excerpt([files[0], early], 0..<10) == [0..<100, 0..<100])
    }

    @Test("Missing audio takes up its time in the span of an export") func missingAudio() {
        // 1.2 s are missing after 50 frames; the gap after 75 frames has no length.
        let files = [Self.segment(1, at: .zero, gaps: [(50, 1_200), (75, 0)])]
        #expect(Self.excerpt(files, 1.0, 2.0) == [42..<50])
        #expect(Self.excerpt(files, 1.2, 2.4).isEmpty)
        #expect(Self.excerpt(files, 2.4, 2.424) == [50..<51])
        #expect(Self.excerpt(files, 3.0, nil) == [75..<100])
        #expect(Self.excerpt(files, nil, 3.024) == [0..<76])
        // A gap before the first frame has ended when that frame is on air.
        #expect(Self.excerpt([Self.segment(1, at: .seconds(60), gaps: [(0, 60_000)])], 61.2, 61.224) == [50..<51])
    }

    @Test("After a step of the clock, frames have the times of the clock as it was set", arguments: [60_000, -60_000])
    func clockStep(_ step: Int64) throws {
        let file = Self.segment(1, at: .zero, step: (50, step))
        let sidecar = try #require(file.sidecar)
        #expect(try Sidecar(reading: sidecar.encoded).clockStep == sidecar.clockStep)
        let times = [49, 50, 100].map { sidecar.airTime(ofFrame: $0) }
        #expect(times == [1_176, 1_200 + step, 2_400 + step].map { Self.start + .milliseconds($0) })
        #expect(sidecar.endOfAudio == times[2])
        let recording = LibraryRecording(id: "r", segments: [file])
        func export(_ frames: Range<Int64>) throws -> Sidecar {
            let excerpt = Excerpt(recording, from: sidecar.airTime(ofFrame: frames.lowerBound), until: nil)
                .dropLast(Int(100 - frames.upperBound))
            #expect(excerpt.parts.map(\.known) == [frames])
            #expect(excerpt.parts.map(\.end) == [sidecar.airTime(ofFrame: frames.upperBound)])
            return try #require(excerpt.sidecar)
        }
        let across = try export(25..<75)
        #expect(across.clockStep == Sidecar.ClockStep(position: 25, milliseconds: step))
        #expect(across.endOfAudio == Self.start + .milliseconds(1_800 + step))
        let before = try export(25..<50)
        #expect(before.clockStep == nil && before.endOfAudio == Self.start + .milliseconds(1_200))
        // After a step back, the time before the step is meant.
        guard step > 0 else { return }
        let after = try export(50..<75)
        #expect(after.clockStep == nil && after.at?.instant == times[1])
    }

    @Test("A sidecar with frames of hardly any length has no frames after its end") func shortestFrames() {
        let at = CivilTime(Self.start, utcOffset: 0)
        let sidecar = Sidecar(.complete, at: at, frames: 1 << 42, bytes: 1, samples: 1, format: Self.format)
        #expect(sidecar.frames(airedBefore: Self.start + .seconds(86_400 * 365)) == 1 << 42)
    }

    @Test("An Opus export begins earlier by the audio that a decoder needs to converge") func opusPreroll() {
        let at = CivilTime(Self.start, utcOffset: 0)
        let format = StreamFormat(codec: .opus, sampleRate: 48_000, channels: 2)
        let segments = [1, 2].map { number in
            var sidecar = Sidecar(.complete, at: at, frames: 100, bytes: 38_400, samples: 96_000, format: format)
            (sidecar.recording, sidecar.number) = ("r", number)
            return LibrarySegment(
                folders: [], base: "s\(number)", audio: .init(fileExtension: "opus", bytes: 40_000, isPart: false),
                description: .sidecar(sidecar))
        }
        let recording = LibraryRecording(id: "r", segments: segments)
        for (start, first) in [(1.0, 46), (0.06, 0), (0, 0)] as [(Double, Int64)] {
            let excerpt = Excerpt(recording, from: Self.start + .seconds(start), until: Self.start + .seconds(1.2))
            #expect(excerpt.withPreroll.parts[0].frames == first..<60)
            #expect(excerpt.withPreroll.parts[1] == excerpt.parts[1])
        }
    }

    @Test("An MP3 export begins with the earlier frames that its first frame needs, back to the last gap")
    func mp3Preroll() {
        let files = [
            Self.segment(1, at: .zero, gaps: [(50, 0)]), Self.segment(2, at: .milliseconds(2_400)),
            Self.segment(3, at: .seconds(6), gaps: [(0, 1_200)]), Self.segment(5, at: .seconds(10)),
        ]
        let recording = LibraryRecording(id: "r", segments: files)
        for (first, number, lead, reads) in [
            (0, 1, 16, nil), (50, 1, 0, nil), (53, 1, 3, nil), (80, 1, 16, nil), (0, 2, 16, 1), (9, 2, 16, 1),
            (16, 2, 16, nil), (0, 3, 0, nil), (4, 3, 4, nil), (0, 5, 16, nil),
        ] as [(Int64, Int, Int, Int?)] {
            let place = files.first { $0.sidecar?.number == number }?.sidecar?.airTime(ofFrame: first)
            let excerpt = Excerpt(recording, from: place, until: nil)
            #expect(excerpt.lead == 0 && excerpt.parts[0].segment.base == "s\(number)")
            #expect(excerpt.parts[0].frames.lowerBound == first)
            let ready = excerpt.withPreroll
            #expect(ready.lead == lead, "\(number), \(first)")
            let before = ready.parts.count > excerpt.parts.count ? ready.parts[0] : nil
            #expect(before?.segment.sidecar?.number == reads && (before?.frames ?? 100..<100) == 100..<100)
            #expect(ready.parts.suffix(excerpt.parts.count) == excerpt.parts[...])
        }
    }
}

// SPDX-License-Identifier: MIT

import Catalog
import Instants
import RadioCore
import Recorder
import Testing

@testable import Daemon

/// The result of a manual recording, computed from its parts.
struct ManualPartTests {
    private static let start = MonotonicInstant(nanoseconds: 5_000_000_000)
    private static let clock = ClockReading(wall: WallInstant(nanoseconds: 1_800_000_000_000_000_000), now: start)

    /// A recording of an hour, or of `length` seconds. Its parts begin at these seconds.
    private static func recording(_ length: Double = 3_600, parts: [(id: String, at: Double)]) -> ManualRecording {
        ManualRecording(
            number: 1, station: "fip", span: start..<start + .seconds(length),
            parts: parts.map { ManualPart(id: $0.id, start: start + .seconds($0.at)) })
    }

    /// A part's file in the catalog. Lengths are in seconds, the gaps' places are frames, of which a second has ten,
    /// and the wall-clock time is arbitrary.
    private static func file(
        _ id: String, _ length: Double, gaps: [(position: Int64, seconds: Double)] = []
    ) -> CatalogCoverage.File {
        let report = report(length, gaps: gaps)
        var file = CatalogCoverage.File(
            CatalogFile(recording: id, path: ["\(id).mp3"]), at: clock.wall, end: clock.wall + report.length,
            frames: report.frames, audio: .seconds(length))
        file.gaps = report.gaps
        return file
    }

    private static func result(_ recording: ManualRecording, _ files: CatalogCoverage.File...) -> RecordingResult {
        var coverage = CatalogCoverage()
        coverage.files = files
        return recording.result(coverage, in: "/r", clock)
    }

    private static func report(_ seconds: Double, gaps: [(position: Int64, seconds: Double)] = []) -> RecordingReport {
        var report = RecordingReport()
        (report.seconds, report.frames) = (seconds, Int64(seconds * 10))
        let at = CivilTime(clock.wall, utcOffset: 0)
        report.gaps = gaps.map { gap in
            .init(at: at, milliseconds: Int64(gap.seconds * 1_000), cause: "", tried: [], position: gap.position)
        }
        return report
    }

    @Test("A hole in a recording of a day is distinguished from a drifting clock", arguments: [20.0, 60])
    func holeOrDrift(short: Double) {
        let result = Self.result(Self.recording(86_400, parts: [("a", 0)]), Self.file("a", 86_400 - short))
        #expect(result.verdict == (short < 26 ? .complete : .incomplete))
        #expect(result.lost == .seconds(short < 26 ? 0 : 60) && result.files == ["/r/a.mp3"])
    }

    @Test("Audio that is in two parts does not make up for audio that is in none") func overlap() {
        let recording = Self.recording(parts: [("a", 0), ("b", 540), ("c", 1_260)])
        let result = Self.result(recording, Self.file("a", 600), Self.file("b", 660), Self.file("c", 2_340))
        #expect(result.verdict == .incomplete && result.lost == .seconds(60), "\(result)")
        #expect(result.recordings == ["a", "b", "c"])
    }

    @Test("A gap is where the audio before it ends, whatever the clock showed") func gapPlace() {
        var recording = Self.recording(parts: [("a", 5), ("b", 940)])
        recording.ended("a", Self.report(1_190, gaps: [(0, 20), (100, 30), (9_000, 15)]))
        #expect(recording.catalogedParts == ["b"])
        // Each part has some of the audio that the other part lacks.
        let result = Self.result(recording, Self.file("b", 2_640, gaps: [(0, 50), (2_000, 20)]))
        #expect(result.missing.map { ($0.lowerBound - Self.clock.wall).inSeconds } == [15, 935], "\(result)")
        #expect(result.lost == .seconds(35))
    }

    @Test("Ten seconds to connect are not missing, and a longer wait is missing from its start") func connecting() {
        #expect(Self.result(Self.recording(parts: [("a", 9)]), Self.file("a", 3_591)).verdict == .complete)
        let late = Self.result(Self.recording(parts: [("a", 15)]), Self.file("a", 3_585))
        #expect(late.verdict == .incomplete && late.lost == .seconds(15))
    }

    @Test("Nothing is claimed about what only the catalog knows until the catalog answers") func silentCatalog() {
        var recording = Self.recording(parts: [("a", 0), ("b", 600)])
        recording.ended("b", Self.report(3_000))
        #expect(recording.result(nil, in: "/r", Self.clock).verdict == .unknown)
        recording.ended("a", Self.report(600))
        #expect(recording.result(nil, in: "/r", Self.clock).verdict == .complete)
        #expect(Self.recording(parts: []).result(CatalogCoverage(), in: "/r", Self.clock).verdict == .missed)
    }

    private static func segment(_ station: String, _ seconds: Double, at: Double = 0) -> RecordedSegment {
        RecordedSegment(
            path: "/r/\(station)", at: CivilTime(clock.wall + .seconds(at), utcOffset: 0), frames: Int64(seconds * 10),
            bytes: 0, seconds: seconds, missing: .zero, isComplete: true, station: station)
    }

    private static func stretch(_ position: Int64, _ seconds: Double, at: Double) -> Sidecar.Stretch {
        Sidecar.Stretch(
            at: CivilTime(clock.wall + .seconds(at), utcOffset: 0), milliseconds: Int64(seconds * 1_000),
            position: position, frames: Int64(seconds * 10))
    }

    /// The result of a recording of a minute, in seconds from its start. The catalog leads to the same result.
    private static func missing(_ report: RecordingReport) -> [[Double]] {
        var own = recording(60, parts: [("a", 0)])
        own.ended("a", report)
        var coverage = CatalogCoverage()
        coverage.files = files(of: report)
        let results = [
            result(own), recording(60, parts: [("a", 0)]).result(coverage, in: "", clock),
            RecordingResult(
                window: clock.wall..<clock.wall + .seconds(60), coverage, in: "",
                and: RecordingResult(window: clock.wall..<clock.wall + .seconds(60), coverages: [])),
        ].map { result in
            result.missing.map { [$0.lowerBound, $0.upperBound].map { ($0 - clock.wall).inSeconds } }
        }
        #expect(results[0] == results[1] && results[0] == results[2], "\(results)")
        return results[0]
    }

    /// The files of a report in the catalog. Without segments, its first 25 s are a file, and the rest is another.
    private static func files(of report: RecordingReport) -> [CatalogCoverage.File] {
        var segments = report.segments
        if segments.isEmpty {
            // The first one has a gap that is inside its audio.
            let inside = report.gaps.filter { $0.position < 250 }.missingInside.inSeconds
            segments = [segment("A", 25), segment("A", report.seconds - 25, at: 25 + inside)]
        }
        var position: Int64 = 0
        return segments.enumerated().map { index, segment in
            let range = position..<position + segment.frames
            position = range.upperBound
            let gaps = report.gaps.filter { range.contains($0.position) }.map { gap in
                var gap = gap
                gap.position -= range.lowerBound
                return gap
            }
            var file = CatalogCoverage.File(
                CatalogFile(recording: "a", path: ["\(index).mp3"]), at: segment.at.instant,
                end: segment.end + gaps.missingInside, frames: segment.frames, audio: .seconds(segment.seconds))
            (file.station, file.gaps) = (segment.station, gaps)
            file.foreign = report.stretches[.foreign].compactMap { stretch in
                guard var part = stretch.clamped(to: range) else { return nil }
                part.position -= range.lowerBound
                return part
            }
            return file
        }
    }

    @Test("A34: Foreign audio does not count as the station's, and is not missing twice") func foreignAudio() {
        // A file of 30 s in an outage of 6 s.
        var file = Self.report(84, gaps: [(500, 6)])
        file.gaps[0].at = CivilTime(Self.clock.wall + .seconds(20), utcOffset: 0)
        file.stretches[.foreign] = [Self.stretch(200, 30, at: 20)]
        #expect(Self.missing(file) == [[20, 26]])
        // An advert of 30 s in real time.
        var advert = Self.report(60)
        advert.stretches[.foreign] = [Self.stretch(200, 30, at: 20)]
        #expect(Self.missing(advert) == [[20, 50]])
        // A file before the station, which came 15 s later.
        var opener = Self.report(75, gaps: [(300, 15)])
        opener.stretches[.foreign] = [Self.stretch(0, 30, at: 0)]
        #expect(Self.missing(opener) == [[0, 15]])
        // A file, and no station.
        var none = Self.report(60)
        none.stretches[.foreign] = [Self.stretch(0, 60, at: 0)]
        #expect(Self.missing(none) == [[0, 60]])
    }

    @Test("A34: Another station between files of one station is missing") func otherStation() {
        var report = Self.report(60)
        // The burst of the other one, and that of the station, reach back by two seconds.
        report.segments = [Self.segment("A", 20), Self.segment("B", 10, at: 18), Self.segment("A", 34, at: 26)]
        report.frames += 40
        report.seconds += 4
        #expect(Self.missing(report) == [[20, 26]])
        report = Self.report(60)
        report.segments = [Self.segment("A", 20), Self.segment("B", 40, at: 20)]
        #expect(Self.missing(report).isEmpty, "the station may have another name now")
    }
}

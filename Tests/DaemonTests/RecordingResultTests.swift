// SPDX-License-Identifier: MIT

import Catalog
import Instants
import RadioCore
import Testing

@testable import Daemon

/// The missing part of a show, computed from its recorded parts.
struct RecordingResultTests {
    private static let window = instant(100)..<instant(200)

    private static func instant(_ seconds: Double) -> WallInstant { WallInstant(nanoseconds: 0) + .seconds(seconds) }

    private static func coverage(
        _ from: Double, _ to: Double, gaps: [(Double, Double)] = [], of recorded: RecordingResult.Recorded = own
    ) -> RecordingResult.Coverage {
        .init(
            of: recorded, at: instant(from), length: .seconds(to - from),
            gaps: gaps.map { instant($0.0)..<instant($0.1) }
        )
    }

    private static let own = RecordingResult.Recorded(recording: "own", files: ["/r/own 1.mp3", "/r/own 2.mp3"])

    /// A file in the catalog, of which a second has ten frames.
    private static func file(_ recording: String, _ name: String, _ from: Double, _ to: Double) -> CatalogCoverage.File
    {
        .init(
            CatalogFile(recording: recording, path: [name]), at: instant(from), end: instant(to),
            frames: Int64((to - from) * 10), audio: .seconds(to - from))
    }

    /// A recording of this run, with a file for each station.
    private static func part(_ files: (station: String, from: Double, to: Double)...) -> RecordingResult.Part {
        let spans = files.map { instant($0.from)..<instant($0.to) }
        let listed = zip(files, spans).map { file, span in
            OwnAudio.File(
                station: file.station, at: span.lowerBound, end: span.upperBound,
                frames: Int64(span.length.inSeconds * 10))
        }
        let audio = OwnAudio(frames: listed.reduce(0) { $0 + $1.frames }, files: listed, gaps: [], foreign: [])
        return .init(recorded: own, spans: spans, own: audio, leftOut: [])
    }

    private func missing(_ coverages: RecordingResult.Coverage...) -> [Range<Double>] {
        let zero = WallInstant(nanoseconds: 0)
        return RecordingResult(window: Self.window, coverages: coverages).missing.map {
            ($0.lowerBound - zero).inSeconds..<($0.upperBound - zero).inSeconds
        }
    }

    @Test("Audio that no file has is missing") func uncovered() {
        #expect(missing(Self.coverage(90, 210)).isEmpty)
        #expect(missing(Self.coverage(90, 120), Self.coverage(130, 150)) == [120..<130, 150..<200])
        #expect(missing(Self.coverage(120, 160, gaps: [(130, 140)])) == [100..<120, 130..<140, 160..<200])
        #expect(missing(Self.coverage(100, 200, gaps: [(90, 110), (190, 300)])) == [100..<110, 190..<200])
        #expect(missing(Self.coverage(100.2, 199.8)).isEmpty)
    }

    @Test("A file may have what another one lacks") func overlap() {
        #expect(missing(Self.coverage(90, 160, gaps: [(120, 140)]), Self.coverage(115, 200)).isEmpty)
        #expect(missing(Self.coverage(90, 200, gaps: [(120, 140)]), Self.coverage(130, 200)) == [120..<130])
    }

    @Test("Many short gaps of a recording are missing together, a few are not, and the seams of recordings never are")
    func shortGaps() {
        let gaps = (0..<16).map { (105 + 5 * Double($0), 105.25 + 5 * Double($0)) }
        #expect(missing(Self.coverage(100, 200, gaps: gaps)).count == 16)
        #expect(missing(Self.coverage(100, 200, gaps: [gaps[0]])).isEmpty)
        let recordings = (0..<10).map { RecordingResult.Recorded(recording: "\($0)", files: []) }
        let coverages = recordings.enumerated().map { index, recorded in
            Self.coverage(100 + 10 * Double(index), 109.8 + 10 * Double(index), of: recorded)
        }
        #expect(RecordingResult(window: Self.window, coverages: coverages).missing.isEmpty)
    }

    @Test("The verdict combines what the catalog knows with what this run knows") func verdict() {
        var coverage = CatalogCoverage()
        coverage.files = [Self.file("old", "old.mp3", 100, 135)]
        coverage.files[0].gaps = [
            Sidecar.Gap(
                at: CivilTime(Self.instant(110), utcOffset: 0), milliseconds: 5_000, cause: "", tried: [], position: 100
            )
        ]
        let own = RecordingResult(window: Self.window, parts: [Self.part(("A", 130, 200))])
        let both = RecordingResult(window: Self.window, coverage, in: "/r", and: own)
        #expect(both.verdict == .incomplete && both.lost == .seconds(5), "\(both)")
        #expect(RecordingResult(window: Self.window, CatalogCoverage(), in: "/r", and: own).lost == .seconds(30))
        #expect(RecordingResult(window: Self.window, coverages: [Self.coverage(0, 100)]).verdict == .missed)
        // The slack does not excuse a recording that is shorter than it: all of the recording is missing.
        let short = Self.instant(100)..<Self.instant(105)
        #expect(RecordingResult(window: short, coverages: [], slack: .seconds(10)).lost == .seconds(5))
        #expect(both.missingBeginning(of: Self.window) == nil)
        #expect(own.missingBeginning(of: Self.window) == Self.instant(100)..<Self.instant(130))
    }

    @Test("Each recording and each file is named once, in the order of their times") func names() {
        var coverage = CatalogCoverage()
        coverage.files = [
            Self.file("old", "old.mp3", 100, 110), Self.file("own", "own 1.mp3", 130, 150),
            Self.file("own", "own 2.mp3", 150, 200),
        ]
        let own = RecordingResult(window: Self.window, parts: [Self.part(("A", 130, 200))])
        let both = RecordingResult(window: Self.window, coverage, in: "/r", and: own)
        #expect(both.recordings == ["old", "own"])
        #expect(both.files == ["/r/old.mp3", "/r/own 1.mp3", "/r/own 2.mp3"])
        #expect(RecordingResult(window: Self.window, coverages: []).files.isEmpty)
    }

    @Test("A34: Another station with which a run begins is missing, although only the catalog knows the station before")
    func otherStationFirst() {
        var coverage = CatalogCoverage()
        coverage.files = [Self.file("old", "old.mp3", 100, 130)]
        coverage.files[0].station = "A"
        let result = RecordingResult(
            window: Self.window, coverage, in: "/r",
            and: RecordingResult(window: Self.window, parts: [Self.part(("B", 130, 160), ("A", 160, 200))]))
        #expect(result.missing == [Self.instant(130)..<Self.instant(160)])
    }
}

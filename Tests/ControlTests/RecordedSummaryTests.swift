// SPDX-License-Identifier: MIT

import Daemon
import Engine
import Instants
import RadioCore
import Recorder
import Testing
import Words

/// What is said of a recording at its end.
struct RecordedSummaryTests {
    private static let start = CivilTime(WallInstant(nanoseconds: 0), utcOffset: 0)

    private static func gap(_ milliseconds: Int64?, overlap: Int64? = nil) -> Sidecar.Gap {
        var gap = Sidecar.Gap(at: start, milliseconds: milliseconds, cause: "test", tried: [], position: 5)
        gap.overlap = overlap
        return gap
    }

    @Test("The summary counts the gaps in which audio is missing or may be there twice") func gaps() {
        var report = RecordingReport()
        report.segments = [
            .init(
                path: "a.mp3", at: Self.start, frames: 100, bytes: 1_000, seconds: 10, missing: .zero,
                isComplete: true)
        ]
        report.frames = 100
        report.gaps = [Self.gap(0), Self.gap(12), Self.gap(2_000), Self.gap(nil), Self.gap(0, overlap: 500)]
        #expect(Wording.summary(report).contains { $0.hasPrefix("with 3 gaps") })
        report.gaps = [Self.gap(0)]
        #expect(!Wording.summary(report).contains { $0.contains("gap") })
    }

    @Test("A recording that ended before it began is not reported") func nothing() {
        func occurrence(_ outcome: RecordingOutcome) -> Occurrence? {
            let event = DaemonEvent.recordingEnded(UseKey("fip", .log), recording: "", outcome)
            return Wording.occurrence(event, in: .init(now: Self.start.instant))
        }
        var report = RecordingReport()
        #expect(occurrence(RecordingOutcome(report: report)) == nil)
        report.gaps = [Self.gap(2_000)]
        #expect(occurrence(RecordingOutcome(report: report)) != nil)
    }
}

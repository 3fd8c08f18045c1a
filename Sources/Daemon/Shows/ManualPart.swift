// SPDX-License-Identifier: MIT

import Catalog
import Instants
import RadioCore
import Recorder

/// A part of a manual recording: one recording on disk, as another begins with each run of the daemon. A value.
struct ManualPart: Hashable, Sendable {
    /// The ID of the recording.
    let id: String
    /// When its first frame was on air.
    let start: MonotonicInstant
    /// What is in its files; nil if an earlier run recorded it, so that only the catalog knows.
    private(set) var content: Content?

    /// What is in the files of a part. Times are counted from its first frame, whatever the wall clock showed.
    struct Content: Hashable, Sendable {
        /// The length of the audio and of the gaps.
        private(set) var length = Duration.zero
        private(set) var gaps: [Range<Duration>] = []
        /// Absolute paths, in order.
        private(set) var files: [String] = []
    }

    init(id: String, start: MonotonicInstant) {
        self.id = id
        self.start = start
    }

    /// Notes that this run has recorded it.
    mutating func ended(_ report: RecordingReport) { content = Content(report) }

    /// The piece of the result. `cataloged`: the files of the part, if only the catalog knows them.
    func piece(_ cataloged: [CatalogCoverage.File], in folder: String, _ clock: ClockReading) -> RecordingResult.Piece {
        let content = content ?? Content(cataloged, in: folder)
        let start = clock.wall(at: start)
        return RecordingResult.Piece(
            of: .init(recording: id, files: content.files), at: start, length: content.length,
            gaps: content.gaps.map { start + $0.lowerBound..<start + $0.upperBound },
            slack: content.length / Self.drift)
    }

    /// The clock of a station may run slower than that of this machine by one part in so many (300 ppm): then audio
    /// seems to be missing at the end.
    private static let drift = 3_300
}

extension ManualPart.Content {
    /// What a recording of this run has brought. A gap before the first frame is no part of it.
    init(_ report: RecordingReport) {
        guard report.frames > 0 else { return }
        files = report.files
        for gap in report.gaps where gap.position > 0 {
            let audio = report.seconds * Double(gap.position) / Double(report.frames)
            // Up to here, the length is that of the gaps before.
            add(gap: gap.milliseconds ?? 0, at: .seconds(audio) + length)
        }
        length += .seconds(report.seconds)
    }

    /// What is in files of the catalog.
    init(_ cataloged: [CatalogCoverage.File], in folder: String) {
        for file in cataloged {
            let begin = length
            for gap in file.gaps where gap.at > file.at || !files.isEmpty {
                let passed = max(0, max(0, gap.at) - max(0, file.at))
                add(gap: gap.length, at: begin + .milliseconds(min(passed, Self.most)))
            }
            length += .milliseconds(min(max(0, file.audio), Self.most))
            files.append(file.file.path(in: folder))
        }
    }

    /// In milliseconds: the longest file or gap that is believed.
    private static let most = Int64(100 * 86_400_000)

    private mutating func add(gap milliseconds: Int64, at start: Duration) {
        let missing = Duration.milliseconds(min(max(0, milliseconds), Self.most))
        gaps.append(start..<start + missing)
        length += missing
    }
}

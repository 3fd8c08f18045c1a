// SPDX-License-Identifier: MIT

import Catalog
import Instants
import RadioCore
import Recorder

/// A part of a manual recording: one recording on disk. Each run of the daemon begins a new part.
struct ManualPart: Hashable, Sendable {
    /// The ID of the recording.
    let id: String
    /// When its first frame aired.
    let start: MonotonicInstant
    /// The contents of its files; nil if an earlier run recorded it, so that only the catalog knows them.
    private(set) var content: Content?

    /// The contents of a part's files. Times are counted from its first frame, whatever the wall clock showed.
    struct Content: Hashable, Sendable {
        /// The length of the audio, including the gaps.
        private(set) var length = Duration.zero
        private(set) var gaps: [Range<Duration>] = []
        /// Absolute paths, in order.
        private(set) var files: [String] = []
    }

    init(id: String, start: MonotonicInstant) {
        self.id = id
        self.start = start
    }

    /// Notes that this run has finished recording the part.
    mutating func ended(_ report: RecordingReport) { content = Content(report) }

    /// The part as a piece of the result. `cataloged` holds the files of the part if only the catalog knows them.
    func piece(_ cataloged: [CatalogCoverage.File], in folder: String, _ clock: ClockReading) -> RecordingResult.Piece {
        let content = content ?? Content(cataloged, in: folder)
        let start = clock.wall(at: start)
        return RecordingResult.Piece(
            of: .init(recording: id, files: content.files), at: start, length: content.length,
            gaps: content.gaps.map { start + $0.lowerBound..<start + $0.upperBound },
            slack: content.length / Self.drift)
    }

    /// The station's clock may run slower than this machine's clock by one part in this many (300 ppm). Then some audio
    /// seems to be missing at the end.
    private static let drift = 3_300
}

extension ManualPart.Content {
    /// The contents recorded by this run.
    init(_ report: RecordingReport) {
        self.init(report.files, .seconds(report.seconds), report.frames, report.own)
    }

    /// The contents according to the catalog.
    init(_ cataloged: [CatalogCoverage.File], in folder: String) {
        self.init(
            cataloged.map { $0.file.path(in: folder) }, cataloged.reduce(.zero) { $0 + $1.audio },
            cataloged.reduce(0) { $0 + $1.frames }, cataloged.own)
    }

    /// A gap before the first frame does not count. `audio` and `frames` count the foreign audio, too.
    private init(_ files: [String], _ audio: Duration, _ frames: Int64, _ own: OwnAudio) {
        guard own.frames > 0 else { return }
        self.files = files
        let frame = audio.inSeconds / Double(frames)
        var foreign: Int64 = 0
        for absence in own.absences where absence.position > 0 || absence.frames > 0 {
            // At this point, `length` holds the total of the earlier gaps.
            let start = .seconds(frame * Double(absence.position - foreign)) + length
            let missing = min(absence.length, Self.most)
            gaps.append(start..<start + missing)
            length += missing
            foreign += absence.frames
        }
        length += .seconds(frame * Double(own.frames))
    }

    /// The longest plausible gap.
    private static let most = Duration.seconds(100 * 86_400)
}

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

    /// The contents of a part's files.
    struct Content: Hashable, Sendable {
        /// Absolute paths, in order.
        private(set) var files: [String]
        /// The length and the number of all frames, the foreign ones included.
        private(set) var audio: Duration
        private(set) var frames: Int64
        /// What of it is the station's.
        var own: OwnAudio
    }

    /// Takes what the part contains from the report of its recording, which this run has finished.
    mutating func ended(_ report: RecordingReport) { content = Content(report) }

    /// The stretch of air time that the part covers.
    func coverage(_ content: Content, _ clock: ClockReading) -> RecordingResult.Coverage {
        let (length, gaps) = content.layout
        let start = clock.wall(at: start)
        return RecordingResult.Coverage(
            of: .init(recording: id, files: content.own.frames > 0 ? content.files : []), at: start, length: length,
            gaps: gaps.map { start + $0.lowerBound..<start + $0.upperBound }, slack: length / Self.drift)
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

    private init(_ files: [String], _ audio: Duration, _ frames: Int64, _ own: OwnAudio) {
        (self.files, self.audio, self.frames, self.own) = (files, audio, frames, own)
    }

    /// The length, with the gaps, and the gaps. Times are counted from the first frame, whatever the wall clock showed.
    /// A gap before the first frame does not count.
    fileprivate var layout: (length: Duration, gaps: [Range<Duration>]) {
        guard own.frames > 0 else { return (.zero, []) }
        let frame = audio.inSeconds / Double(frames)
        var (length, gaps, foreign) = (Duration.zero, [Range<Duration>](), Int64(0))
        for absence in own.absences where absence.position > 0 || absence.frames > 0 {
            // At this point, `length` holds the total of the earlier gaps.
            let start = .seconds(frame * Double(absence.position - foreign)) + length
            let missing = min(absence.length, Self.most)
            gaps.append(start..<start + missing)
            length += missing
            foreign += absence.frames
        }
        return (length + .seconds(frame * Double(own.frames)), gaps)
    }

    /// The longest plausible gap.
    private static let most = Duration.seconds(100 * 86_400)
}

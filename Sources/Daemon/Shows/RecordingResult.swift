// SPDX-License-Identifier: MIT

import Catalog
package import Instants
import RadioFormats

/// How much of a show or of a manual recording is in files.
package struct RecordingResult: Hashable, Sendable {
    /// A stretch of air time that is covered by files, and the gaps in these files.
    package struct Piece: Hashable, Sendable {
        var span: Range<WallInstant>
        var gaps: [Range<WallInstant>]
        /// The recording, and the absolute paths of its files.
        var source: Source
        /// Why audio is missing in the gaps, and before the piece.
        var causes: [Cause]
        /// The slack of the piece: how much audio may seem to be missing after it although nothing is missing.
        var slack: Duration

        /// `length` is the length of the audio including the gaps.
        init(
            of source: Source, at start: WallInstant, length: Duration, gaps: [Range<WallInstant>] = [],
            causes: [Cause] = [], slack: Duration = .zero
        ) {
            span = start..<start + max(length, .zero)
            self.gaps = gaps
            self.causes = causes
            self.source = source
            self.slack = slack
        }

        /// The stretches whose audio is in the files.
        fileprivate var present: [Range<WallInstant>] {
            var (present, start) = ([Range<WallInstant>](), span.lowerBound)
            for gap in gaps.map({ $0.clamped(to: span) }).sorted(by: { $0.lowerBound < $1.lowerBound }) {
                if gap.lowerBound > start { present.append(start..<gap.lowerBound) }
                start = max(start, gap.upperBound)
            }
            return start < span.upperBound ? present + [start..<span.upperBound] : present
        }
    }

    /// Why the audio of a span is missing.
    struct Cause: Hashable, Sendable {
        var span: Range<WallInstant>
        var text: String
    }

    /// The recording that a piece belongs to.
    struct Source: Hashable, Sendable {
        /// The ID of the recording.
        var recording: String
        /// Absolute paths, in order.
        var files: [String]
    }

    package enum Verdict: Hashable, Sendable {
        case complete
        case incomplete
        case missed
        /// The catalog does not answer, so files that earlier runs of the daemon may have recorded are not known.
        case unknown
    }

    private let pieces: [Piece]
    /// The span of air time that was to be recorded.
    package let window: Range<WallInstant>
    /// Why something is missing; nil if nothing is, or if the reason is unknown.
    package var cause: String?
    /// The stretches of the window that no file contains, in order.
    package private(set) var missing: [Range<WallInstant>]
    package private(set) var verdict: Verdict

    /// Stretches shorter than this are ignored: air times are accurate to a few milliseconds, and most frames are
    /// shorter than this.
    private static let tolerance = Duration.milliseconds(500)

    /// `pieces` may be in any order, and may overlap. `slack` says how much audio may seem to be missing at the
    /// beginning although nothing is missing.
    init(window: Range<WallInstant>, pieces: [Piece], slack: Duration = .zero) {
        self.pieces = pieces
        self.window = window
        var (missing, end, slack) = ([Range<WallInstant>](), window.lowerBound, slack)
        func pass(to start: WallInstant) {
            guard start - end >= max(Self.tolerance, slack) else { return }
            missing.append(end..<start)
        }
        let present = pieces.flatMap { piece in piece.present.map { ($0.clamped(to: window), piece) } }
            .filter { !$0.0.isEmpty }.sorted { $0.0.lowerBound < $1.0.lowerBound }
        for (stretch, piece) in present {
            pass(to: stretch.lowerBound)
            guard stretch.upperBound > end else { continue }
            end = stretch.upperBound
            // The slack of a piece applies only at its end. Gaps within the piece are known exactly.
            slack = end == piece.span.upperBound ? piece.slack : .zero
        }
        pass(to: window.upperBound)
        self.missing = present.isEmpty ? [window] : missing
        verdict = present.isEmpty ? .missed : missing.isEmpty ? .complete : .incomplete
    }

    /// The version of this result that applies if the catalog does not answer: unless the result is complete, its
    /// verdict becomes unknown, because the catalog may know of more files.
    func withoutCatalog() -> RecordingResult {
        var result = self
        if verdict != .complete { result.verdict = .unknown }
        return result
    }

    /// Unites the files in the catalog with the files of this run: an earlier run may have recorded a part, and the
    /// catalog may lack a file of this run. `folder`: the recordings folder.
    init(window: Range<WallInstant>, _ coverage: CatalogCoverage, in folder: String, and own: RecordingResult) {
        let cataloged = coverage.files.map { file in
            let gaps = file.gaps.map { gap in
                let start = WallInstant.epoch(milliseconds: gap.at)
                return start..<start + .milliseconds(max(0, gap.length))
            }
            let start = WallInstant.epoch(milliseconds: file.at)
            return Piece(
                of: Source(recording: file.file.recording, files: [file.file.path(in: folder)]),
                at: start, length: WallInstant.epoch(milliseconds: file.end) - start, gaps: gaps,
                causes: zip(gaps, file.gaps).map { Cause(span: $0, text: $1.cause) })
        }
        self.init(window: window, pieces: cataloged + own.pieces)
        cause = own.cause
    }

    /// The IDs of the recordings of which the result consists, in order.
    package var recordings: [String] { sources.map(\.recording).filter { !$0.isEmpty }.unique }

    /// The absolute paths of the files of ``recordings``, in order.
    package var files: [String] { sources.flatMap(\.files).unique }

    private var sources: [Source] { pieces.sorted { $0.span.lowerBound < $1.span.lowerBound }.map(\.source) }

    /// The missing stretch at the beginning of the window; nil if the beginning was recorded, or nothing at all.
    func missingBeginning(of window: Range<WallInstant>) -> Range<WallInstant>? {
        guard verdict == .incomplete, missing.first?.lowerBound == window.lowerBound else { return nil }
        return missing.first
    }

    /// Why a stretch is missing, according to the gaps of the recordings; nil if none of them explains it.
    func cause(of missing: Range<WallInstant>) -> String? {
        pieces.flatMap(\.causes).filter { $0.span.overlaps(missing) && !$0.text.isEmpty }.max { first, second in
            first.span.clamped(to: missing).length < second.span.clamped(to: missing).length
        }?.text
    }

    /// The total length of the missing stretches.
    package var lost: Duration { missing.reduce(.zero) { $0 + $1.length } }

    /// This result with a cause, unless nothing is missing or the cause is known already.
    func explained(by cause: (RecordingResult) -> String?) -> RecordingResult {
        var result = self
        if verdict != .complete { result.cause = self.cause ?? cause(self) }
        return result
    }
}

extension WallInstant {
    fileprivate static func epoch(milliseconds: Int64) -> WallInstant {
        WallInstant(nanoseconds: 0) + .milliseconds(milliseconds)
    }
}

extension [String] {
    /// The texts without repetitions, in order.
    var unique: [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}

extension Range<WallInstant> {
    fileprivate var length: Duration { upperBound - lowerBound }
}

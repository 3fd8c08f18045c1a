// SPDX-License-Identifier: MIT

import Catalog
package import Instants
import RadioCore

/// How much of a show or of a manual recording is in files.
package struct RecordingResult: Hashable, Sendable {
    /// A stretch of air time that files cover, and the gaps in these files.
    package struct Coverage: Hashable, Sendable {
        var span: Range<WallInstant>
        var gaps: [Range<WallInstant>]
        var recorded: Recorded
        /// Why audio is missing in the gaps, and before the stretch.
        var causes: [Cause]
        /// How much audio may seem to be missing after the stretch although nothing is missing.
        var slack: Duration

        /// `length` is the length of the audio including the gaps.
        init(
            of recorded: Recorded, at start: WallInstant, length: Duration, gaps: [Range<WallInstant>] = [],
            causes: [Cause] = [], slack: Duration = .zero
        ) {
            span = start..<start + max(length, .zero)
            self.gaps = gaps
            self.causes = causes
            self.recorded = recorded
            self.slack = slack
        }

        /// A recording of which `own` is the station's; nil if nothing is.
        fileprivate init?(_ part: Part, _ own: OwnAudio) {
            guard own.frames > 0, let start = part.spans.first?.lowerBound else { return nil }
            let causes =
                own.absences.map { Cause(span: $0.at..<$0.at + $0.length, text: $0.cause) }
                + part.leftOut.map { Cause(span: $0, text: RecordingResult.clockSet) }
            var (holes, end) = ([Range<WallInstant>](), start)
            for span in part.spans {
                if span.lowerBound > end { holes.append(end..<span.lowerBound) }
                end = max(end, span.upperBound)
            }
            self.init(
                of: part.recorded, at: start, length: end - start, gaps: causes.map(\.span) + holes, causes: causes)
        }

        /// The stretches whose audio is in the files.
        fileprivate var present: [Range<WallInstant>] { span.without(gaps) }
    }

    /// A recording, and its files.
    struct Recorded: Hashable, Sendable {
        /// The ID of the recording.
        var recording: String
        /// Absolute paths, in order.
        var files: [String]
    }

    /// A recording of a show, by itself. Which of its audio is the station's also depends on the other recordings.
    struct Part: Hashable, Sendable {
        var recorded: Recorded
        /// The times that its files cover, in order.
        var spans: [Range<WallInstant>]
        var own: OwnAudio
        /// The times that the clock left out when it was set forward.
        var leftOut: [Range<WallInstant>]
    }

    /// The raw value is the name in ledgers, metrics and answers.
    package enum Verdict: String, Hashable, Sendable {
        case complete
        case incomplete
        case missed
        /// The catalog does not answer, so files that earlier runs of the daemon may have recorded are not known.
        case unknown
    }

    private let coverages: [Coverage]
    /// The recordings of a show; empty for a manual recording.
    private var parts: [Part] = []
    /// The span of air time that was to be recorded.
    package let window: Range<WallInstant>
    /// Why something is missing, the most important reasons first; nil if nothing is, or if the reason is unknown.
    package var cause: String?
    /// The missing stretches, divided by their causes; empty before ``explained(by:)``.
    private(set) var causes: [Cause] = []
    /// The stretches of the window that no file contains, in order.
    package private(set) var missing: [Range<WallInstant>]
    package private(set) var verdict: Verdict

    /// Stretches that are shorter, also together, are ignored: air times are accurate to a few milliseconds, and most
    /// frames are shorter than this.
    static let tolerance = Duration.milliseconds(500)

    /// `coverages` may be in any order, and may overlap. `slack` says how much audio may seem to be missing at the
    /// beginning although nothing is missing.
    init(window: Range<WallInstant>, coverages: [Coverage], slack: Duration = .zero) {
        self.coverages = coverages
        self.window = window
        var (missing, short, end, slack) = ([Range<WallInstant>](), [Range<WallInstant>](), window.lowerBound, slack)
        var last: Coverage?
        func pass(to start: WallInstant, in coverage: Coverage? = nil) {
            if start - end >= max(Self.tolerance, slack) {
                missing.append(end..<start)
            } else if start > end, let coverage, coverage == last {
                short.append(end..<start)
            }
        }
        let present = coverages.flatMap { coverage in coverage.present.map { ($0.clamped(to: window), coverage) } }
            .filter { !$0.0.isEmpty }.sorted { $0.0.lowerBound < $1.0.lowerBound }
        for (stretch, coverage) in present {
            pass(to: stretch.lowerBound, in: coverage)
            guard stretch.upperBound > end else { continue }
            (end, last) = (stretch.upperBound, coverage)
            // The slack of a stretch applies only at its end. Gaps within it are known exactly.
            slack = end == coverage.span.upperBound ? coverage.slack : .zero
        }
        pass(to: window.upperBound)
        // Gaps within a recording are known exactly, so many short ones count together.
        if short.reduce(.zero, { $0 + $1.length }) >= Self.tolerance {
            missing = (missing + short).sorted { $0.lowerBound < $1.lowerBound }
        }
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

    /// Why times are missing that a clock left out.
    static let clockSet = "the clock was set forward, or the machine was asleep or off"

    /// Unites the files in the catalog with the files of this run: an earlier run may have recorded a part, and the
    /// catalog may lack a file of this run. `folder`: the recordings folder.
    init(window: Range<WallInstant>, _ coverage: CatalogCoverage, in folder: String, and own: RecordingResult) {
        let cataloged = Dictionary(grouping: coverage.files, by: \.file.recording).map { recording, files in
            Part(
                recorded: Recorded(recording: recording, files: files.map { $0.file.path(in: folder) }),
                spans: files.map { $0.at..<$0.end }, own: files.own, leftOut: files.compactMap(\.leftOut))
        }
        self.init(window: window, parts: cataloged + own.parts)
        cause = own.cause
    }

    /// The result of a show with these recordings, in any order. One may be there twice.
    init(window: Range<WallInstant>, parts: [Part]) {
        let sorted = parts.filter { !$0.spans.isEmpty }.sorted { $0.spans[0].lowerBound < $1.spans[0].lowerBound }
        let coverages = zip(sorted, OwnAudio.inSequence(sorted.map(\.own))).compactMap(Coverage.init)
        self.init(window: window, coverages: coverages)
        self.parts = parts
    }

    /// The IDs of the recordings of which the result consists, in order.
    package var recordings: [String] { allRecorded.map(\.recording).filter { !$0.isEmpty }.unique }

    /// The absolute paths of the files of ``recordings``, in order.
    package var files: [String] { allRecorded.flatMap(\.files).unique }

    private var allRecorded: [Recorded] { coverages.sorted { $0.span.lowerBound < $1.span.lowerBound }.map(\.recorded) }

    /// The missing stretch at the beginning of the window; nil if the beginning was recorded, or nothing at all.
    func missingBeginning(of window: Range<WallInstant>) -> Range<WallInstant>? {
        guard verdict == .incomplete, missing.first?.lowerBound == window.lowerBound else { return nil }
        return missing.first
    }

    /// Divides a missing stretch by causes: as the gaps of the recordings say or, where they say nothing, as `cause` or
    /// `others` says.
    private func causes(of missing: Range<WallInstant>, _ others: (Range<WallInstant>) -> [Cause]) -> [Cause] {
        missing.divided(by: coverages.flatMap(\.causes).filter { !$0.text.isEmpty }, least: Self.tolerance) { rest in
            cause.map { [Cause(span: rest, text: $0)] } ?? others(rest)
        }
    }

    /// The total length of the missing stretches.
    package var lost: Duration { missing.reduce(.zero) { $0 + $1.length } }

    /// This result with its causes. `others` says why stretches are missing about which the recordings say nothing.
    func explained(by others: (Range<WallInstant>) -> [Cause]) -> RecordingResult {
        guard verdict != .complete else { return self }
        var result = self
        result.causes = missing.prefix(Self.mostExplained).flatMap { causes(of: $0, others) }
        let lengths = Dictionary(grouping: result.causes, by: \.text).mapValues { parts in
            parts.reduce(Duration.zero) { $0 + $1.span.length }
        }
        let texts = result.causes.map(\.text).unique.sorted {
            lengths[$0, default: .zero] > lengths[$1, default: .zero]
        }
        result.cause = texts.isEmpty ? cause : texts.prefix(Self.mostNamed).joined(separator: "; ")
        return result
    }

    /// A result can have many gaps; the causes of the first ones are determined.
    private static let mostExplained = 100
    /// How many causes ``cause`` names.
    private static let mostNamed = 3
}

extension [String] {
    /// The texts without repetitions, in order.
    var unique: [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}

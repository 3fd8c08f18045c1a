// SPDX-License-Identifier: MIT

import Catalog
package import Instants
import RadioFormats

/// How much of a show, or of a manual recording, is in files. A value.
package struct AiringResult: Hashable, Sendable {
    /// A stretch of air time that is covered by files, and the gaps in these files.
    package struct Piece: Hashable, Sendable {
        var span: Range<WallInstant>
        var gaps: [Range<WallInstant>]
        /// The recording, and the absolute paths of its files.
        var source: Source

        /// `length` includes the audio and the gaps.
        init(of source: Source, at start: WallInstant, length: Duration, gaps: [Range<WallInstant>] = []) {
            span = start..<start + max(length, .zero)
            self.gaps = gaps
            self.source = source
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

    /// What a piece was recorded as.
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
    }

    private let pieces: [Piece]
    /// The stretches of the window that are in no file, in order.
    package private(set) var missing: [Range<WallInstant>]
    package private(set) var verdict: Verdict

    /// Shorter stretches are ignored: air times are accurate to a few milliseconds, and a frame lasts up to 72 ms.
    private static let tolerance = Duration.milliseconds(500)

    /// `pieces` may be in any order, and may overlap.
    init(window: Range<WallInstant>, pieces: [Piece]) {
        self.pieces = pieces
        var (missing, end) = ([Range<WallInstant>](), window.lowerBound)
        let present = pieces.flatMap(\.present).map { $0.clamped(to: window) }.filter { !$0.isEmpty }
        for stretch in present.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if stretch.lowerBound > end { missing.append(end..<stretch.lowerBound) }
            end = max(end, stretch.upperBound)
        }
        if end < window.upperBound { missing.append(end..<window.upperBound) }
        self.missing = missing.filter { $0.length >= Self.tolerance }
        verdict = present.isEmpty ? .missed : self.missing.isEmpty ? .complete : .incomplete
    }

    /// Unites the files in the catalog with those of this run: an earlier run may have recorded a part, and the catalog
    /// may lack a file of this run. `folder`: the recordings folder.
    init(window: Range<WallInstant>, _ coverage: CatalogCoverage, in folder: String, and own: AiringResult) {
        let cataloged = coverage.files.map { file in
            let gaps = file.gaps.map { gap in
                let start = WallInstant.epoch(milliseconds: gap.at)
                return start..<start + .milliseconds(max(0, gap.length))
            }
            let missing = file.gaps.reduce(Int64(0)) { $0.addingSaturated(max(0, $1.length)) }
            let path = ([folder] + file.file.path).joined(separator: "/")
            return Piece(
                of: Source(recording: file.file.recording, files: [path]), at: .epoch(milliseconds: file.at),
                length: .milliseconds(file.audio.addingSaturated(missing)),
                gaps: gaps)
        }
        self.init(window: window, pieces: cataloged + own.pieces)
    }

    /// The IDs of the recordings that have a part of it, in order.
    package var recordings: [String] { sources.map(\.recording).filter { !$0.isEmpty }.unique }

    /// The absolute paths of their files, in order.
    package var files: [String] { sources.flatMap(\.files).unique }

    private var sources: [Source] { pieces.sorted { $0.span.lowerBound < $1.span.lowerBound }.map(\.source) }

    /// The missing stretch at the beginning of the window; nil if the beginning, or nothing at all, was recorded.
    func missingBeginning(of window: Range<WallInstant>) -> Range<WallInstant>? {
        guard verdict == .incomplete, missing.first?.lowerBound == window.lowerBound else { return nil }
        return missing.first
    }

    /// The total length of the missing stretches.
    package var lost: Duration { missing.reduce(.zero) { $0 + $1.length } }
}

extension WallInstant {
    fileprivate static func epoch(milliseconds: Int64) -> WallInstant {
        WallInstant(nanoseconds: 0) + .milliseconds(milliseconds)
    }
}

extension [String] {
    /// The texts without repetitions, in order.
    fileprivate var unique: [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}

extension Range<WallInstant> {
    fileprivate var length: Duration { upperBound - lowerBound }
}

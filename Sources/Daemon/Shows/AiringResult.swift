// SPDX-License-Identifier: MIT

import Catalog
package import Instants
import RadioFormats

/// How much of a show was recorded. A value.
package struct AiringResult: Hashable, Sendable {
    /// A stretch of air time that is in a file.
    package struct Piece: Hashable, Sendable {
        package var span: Range<WallInstant>

        package init(at start: WallInstant, length: Duration) {
            span = start..<start + max(length, .zero)
        }
    }

    package enum Verdict: Hashable, Sendable {
        case complete
        case incomplete
        case missed
    }

    /// The stretches of the show that are in no file, in order.
    package private(set) var missing: [Range<WallInstant>]
    package private(set) var verdict: Verdict

    /// Less is not worth a word: air times are known to some milliseconds, and frames last up to 72 ms.
    private static let tolerance = Duration.milliseconds(500)

    /// `pieces`: what was recorded, in any order, possibly twice. `gaps`: what is missing within them.
    package init(window: Range<WallInstant>, pieces: [Piece], gaps: [Range<WallInstant>]) {
        var missing: [Range<WallInstant>] = []
        var end = window.lowerBound
        for piece in pieces.map(\.span).sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if piece.lowerBound > end { missing.append(end..<min(piece.lowerBound, window.upperBound)) }
            end = max(end, piece.upperBound)
            guard end < window.upperBound else { break }
        }
        if end < window.upperBound { missing.append(end..<window.upperBound) }
        missing += gaps.map { $0.clamped(to: window) }
        self.missing = missing.filter { $0.length >= Self.tolerance }.sorted { $0.lowerBound < $1.lowerBound }
        let isMissed = pieces.allSatisfy { $0.span.clamped(to: window).isEmpty }
        verdict = isMissed ? .missed : self.missing.isEmpty ? .complete : .incomplete
    }

    /// What the catalog says of a show.
    init(window: Range<WallInstant>, _ coverage: CatalogCoverage) {
        self.init(
            window: window,
            pieces: coverage.files.map { file in
                Piece(
                    at: .epoch(milliseconds: file.at), length: .milliseconds(file.audio.addingSaturated(file.missing)))
            },
            gaps: coverage.gaps.map { gap in
                let start = WallInstant.epoch(milliseconds: gap.at)
                return start..<start + .milliseconds(max(0, gap.length))
            })
    }

    /// How much is missing in all.
    package var lost: Duration { missing.reduce(.zero) { $0 + $1.length } }
}

extension WallInstant {
    fileprivate static func epoch(milliseconds: Int64) -> WallInstant {
        WallInstant(nanoseconds: 0) + .milliseconds(milliseconds)
    }
}

extension Range<WallInstant> {
    fileprivate var length: Duration { upperBound - lowerBound }
}

// SPDX-License-Identifier: MIT

/// Compares the granule positions of one link's pages with the packets that end on them, to find how much audio is
/// missing before a page. Each link needs its own.
///
/// Some muxers count wrong, so granule positions are trusted only while they agree with the packets on most pages. If a
/// position is smaller than the number of samples in the packets, some of their audio must not be played: at the end of
/// a stream, and for Vorbis also at its beginning (RFC 7845 §4.4, Vorbis I §A.2).
struct OggContinuity {
    enum Finding: Hashable {
        /// The page's frames continue where those of the previous page ended.
        case follows
        /// This many samples are missing between the previous page's frames and this page's.
        case missing(Int64)
        /// The positions do not show whether audio is missing.
        case unknown
        /// This many of the page's first samples must not be played.
        case cutAtFront(Int64)
        /// This many of the page's last samples must not be played.
        case cutAtEnd(Int64)
    }

    /// The position at the end of the last page; nil if there was no page yet, or if the position is unknown.
    private var end: Int64?
    /// The number of recent pages that agreed with their packets, minus the number of those that did not; from 0 to
    /// ``mostTrust``.
    private var trust = 0
    /// Whether the next page is the stream's first.
    private var isAtStart = false
    private var mayCutFront = false
    /// Whether no page was taken yet.
    private(set) var isEmpty = true

    private static let mostTrust = 4

    init() {}

    /// Creates the state after the header pages of a stream of this codec.
    init(fromStart codec: Codec) {
        isAtStart = true
        mayCutFront = codec == .vorbis
    }

    /// Lets the next page not count as the stream's first, because pages before it were skipped.
    mutating func joined() {
        if isEmpty { isAtStart = false }
    }

    /// Judges a page on which frames end. `granule` is nil if the page states no valid position.
    mutating func take(granule: Int64?, frames: Int, samples: Int64, isEnd: Bool) -> Finding {
        defer {
            (isEmpty, isAtStart) = (false, false)
            end = granule
        }
        guard let granule else { return .unknown }
        if isAtStart { return takeFirst(granule, samples, isEnd) }
        guard let end else { return .unknown }
        guard granule >= end else { return disagree(.unknown) }
        // Neither position is negative, so the difference does not overflow.
        let passed = granule.subtractingReportingOverflow(end).partialValue
        if isEnd, trust > 0, passed < samples { return .cutAtEnd(samples - passed) }
        // A difference of up to half an average frame is due to the muxer's rounding.
        let difference = passed > samples ? passed - samples : samples - passed
        if difference <= samples / Int64(2 * max(1, frames)) {
            trust = min(trust + 1, Self.mostTrust)
            return .follows
        }
        return disagree(trust > 0 && passed > samples ? .missing(passed - samples) : .unknown)
    }

    /// Judges the first page of a stream, whose positions may begin anywhere.
    private mutating func takeFirst(_ granule: Int64, _ samples: Int64, _ isEnd: Bool) -> Finding {
        guard granule > 0, granule <= samples else { return .unknown }
        trust += 1
        if granule < samples, isEnd { return .cutAtEnd(samples - granule) }
        if granule < samples, mayCutFront { return .cutAtFront(samples - granule) }
        return .follows
    }

    private mutating func disagree(_ finding: Finding) -> Finding {
        trust = max(0, trust - 1)
        return finding
    }
}

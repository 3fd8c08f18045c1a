// SPDX-License-Identifier: MIT

/// Holds the granule positions of one link's pages against the packets that end on them: is audio missing before a
/// page, and how much? A value, one for each link.
///
/// Not all muxers count right, so granule positions are believed only as long as they agree with the packets at most
/// pages. A position that says less than the packets hold means that some of their audio is not to be played: at the
/// end of a stream, and of Vorbis at its beginning, too (RFC 7845 §4.4, Vorbis I §A.2).
struct OggContinuity {
    enum Finding: Hashable {
        /// The page's frames go on where those of the page before ended.
        case follows
        /// This number of samples is missing between the last page's frames and the page's own.
        case missing(Int64)
        /// The positions do not tell.
        case unknown
        /// This number of the page's first samples is not to be played.
        case cutAtFront(Int64)
        /// This number of the page's last samples is not to be played.
        case cutAtEnd(Int64)
    }

    /// The position at the end of the last page; nil where there was none, or it is not known.
    private var end: Int64?
    /// How many more pages have agreed than not, of late.
    private var trust = 0
    /// The first page is the stream's first.
    private var isAtStart = false
    private var mayCutFront = false
    /// Whether there was no page yet.
    private(set) var isEmpty = true

    private static let mostTrust = 4

    init() {}

    /// The page that comes next follows the header pages of a stream of that codec.
    init(fromStart codec: Codec) {
        isAtStart = true
        mayCutFront = codec == .vorbis
    }

    /// Pages before the first one were passed over: it lies somewhere in the stream.
    mutating func joined() {
        if isEmpty { isAtStart = false }
    }

    /// A page on which frames end. `granule` is nil where the page has none.
    mutating func take(granule: Int64?, frames: Int, samples: Int64, isEnd: Bool) -> Finding {
        defer {
            (isEmpty, isAtStart) = (false, false)
            end = granule
        }
        guard let granule else { return .unknown }
        if isAtStart { return takeFirst(granule, samples, isEnd) }
        guard let end else { return .unknown }
        guard granule >= end else { return disagree(.unknown) }
        // Neither position is below zero, so the difference does not overflow.
        let passed = granule.subtractingReportingOverflow(end).partialValue
        if isEnd, trust > 0, passed < samples { return .cutAtEnd(samples - passed) }
        // A difference below half of a usual frame is the muxer's way of rounding.
        let difference = passed > samples ? passed - samples : samples - passed
        if difference <= samples / Int64(2 * max(1, frames)) {
            trust = min(trust + 1, Self.mostTrust)
            return .follows
        }
        return disagree(trust > 0 && passed > samples ? .missing(passed - samples) : .unknown)
    }

    /// Where a stream begins, its positions may begin anywhere.
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

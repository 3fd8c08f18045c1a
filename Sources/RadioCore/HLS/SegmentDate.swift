// SPDX-License-Identifier: MIT

package import Instants
package import RadioFormats

/// When a segment was on air, according to its list.
///
/// A list need not date each segment (RFC 8216 §4.3.2.6). The date of another one is the nearest stated date before it,
/// or else the first one after it, and the lengths of the segments between them, if no discontinuity is among these.
package struct SegmentDate: Hashable, Sendable {
    package private(set) var instant: WallInstant
    /// How far the lengths between may make it wrong, because lengths in whole seconds may be rounded.
    package private(set) var error = Duration.zero
    /// The date that the list states, and the number of the segment for which it does.
    package let stated: WallInstant
    package let number: Int64

    /// The date that a list states for a segment.
    package init(_ stated: WallInstant, of number: Int64) {
        (instant, self.stated, self.number) = (stated, stated, number)
    }

    /// The date that the list states for this very segment; nil if there is none.
    init?(statedFor segment: ListedSegment) {
        guard let date = segment.date.flatMap({ CivilTime(listDate: $0)?.instant }) else { return nil }
        self.init(date, of: segment.number)
    }

    /// The date at the other end of a segment: its end, or its begin if `isBack`.
    fileprivate func across(_ segment: ListedSegment, isBack: Bool = false) -> SegmentDate {
        var date = self
        date.instant = isBack ? instant - segment.duration : instant + segment.duration
        if segment.duration.wholeNanoseconds % 1_000_000_000 == 0 { date.error += .milliseconds(500) }
        return date
    }
}

/// The segments of a list from an index on, each with its date; nil if the list has none for it. Dates are parsed only
/// as far as this is iterated.
package struct DatedSegments: Sequence, IteratorProtocol {
    private let segments: [ListedSegment]
    private var index: Int
    /// That of the next segment, unless it states one itself.
    private var date: SegmentDate?

    package init(_ list: MediaPlaylist, from first: Int = 0) {
        segments = list.segments
        index = first
        guard segments.indices.contains(first) else { return }
        while index > 0, !segments[index].isDiscontinuous, segments[index].date == nil { index -= 1 }
        date = begin(at: index)
        while index < first { _ = next() }
    }

    package mutating func next() -> (segment: ListedSegment, date: SegmentDate?)? {
        guard segments.indices.contains(index) else { return nil }
        let segment = segments[index]
        let own = SegmentDate(statedFor: segment)
        if own != nil || segment.isDiscontinuous { date = own ?? begin(at: index) }
        defer { (date, index) = (date?.across(segment), index + 1) }
        return (segment, date)
    }

    /// The date of a segment by the first one that is stated after it.
    private func begin(at index: Int) -> SegmentDate? {
        let undated = segments[index...].dropFirst().prefix { !$0.isDiscontinuous }
        guard let dated = undated.firstIndex(where: { $0.date != nil }) else { return nil }
        return SegmentDate(statedFor: segments[dated]).map { date in
            segments[index..<dated].reduce(date) { $0.across($1, isBack: true) }
        }
    }
}

// SPDX-License-Identifier: MIT

package import Instants
package import RadioFormats

/// When adverts are on air, as the lists of a station in HLS say. A value; bounded.
///
/// Breaks are told by tags before segments (``SegmentCue``), and by date ranges. Lists tell a range again while it is
/// in their window, and later ones may say when it ends.
package struct HLSAdverts: Sendable {
    private var breaks: [ListedBreak] = []
    /// The list that was taken last.
    private var listed: [DateRange] = []
    private var spans: [(time: Range<WallInstant>, source: AdvertWatch.Teller)] = []
    /// When the break that a tag has begun is over at the latest.
    private var breakEnd: WallInstant?

    /// A break of which nobody says when it ends is over after this time.
    private static let longest = Duration.seconds(1_800)
    private static let mostBreaks = 200

    package init() {}
}

// MARK: - What lists say

extension HLSAdverts {
    /// Takes the date ranges of a list.
    package mutating func take(_ list: [DateRange]) {
        guard list != listed else { return }
        listed = list
        for told in list {
            if let index = breaks.firstIndex(where: { $0.id == told.id }) {
                breaks[index].add(told)
            } else if let range = ListedBreak(told) {
                breaks.append(range)
            }
        }
        breaks = breaks.sorted { $0.start < $1.start }.suffix(Self.mostBreaks)
        spans = breaks.indices.compactMap(span)
    }

    private func span(_ index: Int) -> (time: Range<WallInstant>, source: AdvertWatch.Teller)? {
        let range = breaks[index]
        guard range.begins || range.isOfAdverts else { return nil }
        let later = breaks[(index + 1)...].drop { $0.start == range.start }
        let next = range.endsOnNext ? later.first { $0.category == range.category } : nil
        let back = range.begins ? later.first { $0.ends && !$0.begins } : nil
        let told = range.end ?? next?.start ?? back?.start ?? range.plannedEnd ?? range.start + Self.longest
        let end = min(told, range.start + Self.longest)
        return end > range.start ? (range.start..<end, range.begins ? .splice : .dateRange) : nil
    }

    /// Takes what is said before a segment that was on air at this time.
    package mutating func take(_ cue: SegmentCue?, at time: WallInstant, length: Duration) {
        switch cue {
        case nil: break
        case .out(let whole): breakEnd = time + min(whole ?? Self.longest, Self.longest)
        case .goesOn(let left):
            // The tag says that at least this segment is in the break.
            let known = left.map { time + min($0, Self.longest) } ?? breakEnd ?? time
            breakEnd = max(known, time + length)
        case .end: breakEnd = nil
        }
    }
}

// MARK: - When

extension HLSAdverts {
    /// What says that an advert is on air at this time; nil if nothing does.
    package func source(at time: WallInstant) -> AdvertWatch.Teller? {
        if let breakEnd, time < breakEnd { return .cue }
        return spans.first { $0.time.contains(time) }?.source
    }

    /// When that may change next; nil if it does not.
    package func change(after time: WallInstant) -> WallInstant? {
        let bounds = spans.flatMap { [$0.time.lowerBound, $0.time.upperBound] } + [breakEnd].compactMap(\.self)
        return bounds.filter { $0 > time }.min()
    }
}

/// What is kept of a date range that begins or ends a break.
private struct ListedBreak {
    let id: String
    let start: WallInstant
    private(set) var category: String?
    private(set) var end: WallInstant?
    private(set) var plannedEnd: WallInstant?
    private(set) var endsOnNext = false
    /// Whether a command of SCTE-35 begins a break with the range, and whether one ends it.
    private(set) var (begins, ends) = (false, false)

    /// Nil if a range cannot be placed, or says nothing of adverts.
    init?(_ told: DateRange) {
        guard let start = told.start.flatMap({ CivilTime(listDate: $0)?.instant }) else { return nil }
        (id, self.start) = (told.id, start)
        add(told)
        guard begins || ends || isOfAdverts else { return nil }
    }

    /// Adds what a later list says. Its end counts.
    mutating func add(_ told: DateRange) {
        category = category ?? told.category
        end = told.end.flatMap { CivilTime(listDate: $0)?.instant } ?? told.duration.map { start + $0 } ?? end
        plannedEnd = told.plannedDuration.map { start + $0 } ?? plannedEnd
        endsOnNext = endsOnNext || told.endsOnNext
        begins = begins || told.beginsBreak
        ends = ends || told.endsBreak
    }

    /// Whether the class names adverts, as `com.example.ad` does.
    var isOfAdverts: Bool {
        guard let category else { return false }
        let words = category.lowercased().split { !$0.isLetter }
        return words.contains { ["ad", "ads", "commercial", "commercials"].contains($0) || $0.hasPrefix("advert") }
    }
}

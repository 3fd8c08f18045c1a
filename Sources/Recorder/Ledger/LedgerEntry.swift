// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import RadioFormats

/// An entry that belongs to a frame; `position` is the frame's number, and `at` when it was on air.
protocol LedgerEntry {
    var position: Int64 { get set }
    var at: CivilTime { get set }
}

/// What an entry changes in files that have begun.
struct LedgerChange {
    /// The frames whose sidecars change.
    var frames: [Range<Int64>] = []
    /// From which frame on all were on air later than was known, and by how much.
    var delay: (from: Int64, by: Duration)?
}

extension Sidecar.Title: LedgerEntry {}
extension Sidecar.Splice: LedgerEntry {}
extension Sidecar.Healed: LedgerEntry {}
extension Sidecar.Stretch: LedgerEntry {}

/// A gap in the ledger.
struct LedgerGap: LedgerEntry {
    var gap: Sidecar.Gap
    /// The number of the station's frame after the gap, for a gap that the station reported and may still withdraw. Nil
    /// for audio that the station delivered, but that could not be kept.
    var toldAt: Int64?
    /// How much of the gap was found, in milliseconds.
    private var found: Int64 = 0

    init(gap: Sidecar.Gap, toldAt: Int64? = nil) { (self.gap, self.toldAt) = (gap, toldAt) }

    var position: Int64 {
        get { gap.position }
        set { gap.position = newValue }
    }

    var at: CivilTime {
        get { gap.at }
        set { gap.at = newValue }
    }

    /// Tells the gap again, as more is known of it: what was found is not missing. Returns by how much later the frames
    /// behind it were on air than was known. `isDated`: whether their times were right even if it had no length.
    mutating func tell(_ new: Sidecar.Gap, isDated: Bool) -> Duration {
        let old = gap.milliseconds ?? (isDated ? nil : 0)
        if found > 0 { gap.milliseconds = new.milliseconds.map { max(0, $0 - found) } } else { gap = new }
        return old.flatMap { old in gap.milliseconds.map { .milliseconds($0 - old) } } ?? .zero
    }

    /// Shortens the gap by audio that was put in, to what is still missing, if that is known. `isFront`: whether it was
    /// put in at the beginning; `isWithin`: whether the gap is only what is missing on one of its sides.
    mutating func leave(
        _ rest: Duration?, behind new: Sidecar.Healed, isFront: Bool, isWithin: Bool, in zone: any TimeZoneRules
    ) {
        let left = gap.milliseconds.map { max(0, $0 - new.milliseconds) }
        // The length of the gap may have become known, or shorter, since the audio was found.
        gap.milliseconds = isWithin ? nil : rest.map { min($0.wholeMilliseconds, left ?? .max) } ?? left
        found += new.milliseconds
        (gap.overlap, gap.repeats) = (nil, nil)
        guard isFront else { return }
        gap.at = CivilTime(gap.at.instant + .milliseconds(new.milliseconds), in: zone)
        gap.position += new.frames
    }
}

extension Array where Element: LedgerEntry {
    /// The entries of the frames in `range`, with positions relative to its start.
    func within(_ range: Range<Int64>) -> [Element] {
        compactMap { entry in
            guard range.contains(entry.position) else { return nil }
            var entry = entry
            entry.position -= range.lowerBound
            return entry
        }
    }

    /// Updates the positions of the entries after the frames in `range` have been removed.
    mutating func remove(_ range: Range<Int64>) {
        for index in indices { self[index].position = self[index].position.without(range) }
    }

    /// Updates the positions of the entries after frames have been put in at `range`.
    mutating func open(for range: Range<Int64>) {
        for index in indices where self[index].position >= range.lowerBound {
            self[index].position += Int64(range.count)
        }
    }

    /// Updates the times of the entries from a frame on, which were on air later than was known.
    mutating func delay(from position: Int64, by time: Duration, in zone: any TimeZoneRules) {
        for index in indices where self[index].position >= position {
            self[index].at = CivilTime(self[index].at.instant + time, in: zone)
        }
    }
}

extension Array<LedgerGap> {
    /// Inserts a gap. Gaps before the same frame are ordered by time.
    mutating func insertBounded(_ entry: LedgerGap) {
        let time = entry.gap.at.instant
        let index = firstIndex {
            $0.position > entry.position || ($0.position == entry.position && $0.gap.at.instant >= time)
        }
        guard let index else { return appendBounded(entry) }
        insert(entry, at: index)
        if count > RecordingReport.longestList { removeFirst() }
    }
}

extension Array<Sidecar.Stretch> {
    /// Adds a stretch, or replaces the one that begins at the same frame: it has gone on since it was noted.
    mutating func note(_ stretch: Sidecar.Stretch) {
        if let last, last.position == stretch.position { removeLast() }
        appendBounded(stretch)
    }
}

extension Sidecar.Gap {
    /// A gap reported by the station.
    init(_ gap: Gap, in zone: any TimeZoneRules, position: Int64) {
        self.init(
            at: CivilTime(gap.at, in: zone), milliseconds: gap.length?.wholeMilliseconds, cause: gap.cause,
            tried: gap.tried, position: position)
        failureClass = gap.failure?.failureClass.rawValue
        remedy = gap.failure?.remedy
        if gap.overlap > .zero { overlap = gap.overlap.wholeMilliseconds }
        repeats = gap.repeats?.wholeMilliseconds
    }
}

extension Sidecar.Stretch {
    /// The stretch without the frames in `range`; nil if nothing is left.
    func without(_ range: Range<Int64>) -> Self? {
        let end = (position + frames).without(range)
        let start = position.without(range)
        return end > start ? part(frames: end - start, at: start) : nil
    }
}

extension Int64 {
    /// The position after the frames in `range` have been removed: positions inside it move to its start.
    func without(_ range: Range<Int64>) -> Int64 {
        self - Int64(range.clamped(to: Swift.min(self, range.lowerBound)..<self).count)
    }
}

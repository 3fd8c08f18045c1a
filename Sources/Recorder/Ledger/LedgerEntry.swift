// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import RadioFormats

/// Something that belongs to a frame, whose number is the entry's position.
protocol LedgerEntry {
    var position: Int64 { get set }
}

extension Sidecar.Title: LedgerEntry {}
extension Sidecar.Splice: LedgerEntry {}

/// A gap in the ledger.
struct LedgerGap: LedgerEntry {
    var gap: Sidecar.Gap
    /// The station's frame behind it, where the station told of it: it may turn out to be none. Nil for audio that was
    /// lost here.
    var toldAt: Int64?

    var position: Int64 {
        get { gap.position }
        set { gap.position = newValue }
    }
}

extension Array where Element: LedgerEntry {
    /// The entries of the frames in `range`, counted from its beginning.
    func within(_ range: Range<Int64>) -> [Element] {
        compactMap { entry in
            guard range.contains(entry.position) else { return nil }
            var entry = entry
            entry.position -= range.lowerBound
            return entry
        }
    }

    /// Moves the entries down to where their frames are once those of `range` are gone.
    mutating func remove(_ range: Range<Int64>) {
        for index in indices { self[index].position = self[index].position.without(range) }
    }
}

extension Array<LedgerGap> {
    /// Inserts a gap. Gaps before the same frame stand in the order of their times.
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

extension Sidecar.Gap {
    /// A gap as the station told it.
    init(_ gap: Gap, in zone: any TimeZoneRules, position: Int64) {
        self.init(
            at: CivilTime(gap.at, in: zone), milliseconds: gap.length?.wholeMilliseconds, cause: gap.cause,
            tried: gap.tried, position: position)
        failureClass = gap.failure?.failureClass.rawValue
        remedy = gap.failure?.remedy
        if gap.overlap > .zero { overlap = gap.overlap.wholeMilliseconds }
        repeats = gap.repeats?.wholeMilliseconds
        if gap.trimmedFrames > 0 { trimmedFrames = gap.trimmedFrames }
    }
}

extension Sidecar.Stretch {
    /// What is left once the frames of `range` are gone; nil for nothing.
    func without(_ range: Range<Int64>) -> Self? {
        let end = (position + frames).without(range)
        let start = position.without(range)
        return end > start ? part(frames: end - start, at: start) : nil
    }
}

extension Int64 {
    /// A position once the frames of `range` are gone: those inside fall to its beginning.
    func without(_ range: Range<Int64>) -> Int64 {
        self - Int64(range.clamped(to: Swift.min(self, range.lowerBound)..<self).count)
    }
}

extension Duration {
    /// Rounded to the nearest one.
    var wholeMilliseconds: Int64 {
        let (whole, rest) = wholeNanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
        return whole + (rest >= 500_000 ? 1 : 0)
    }
}

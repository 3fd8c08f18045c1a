// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import RadioFormats

/// An entry that belongs to a frame.
protocol SidecarEntry {
    var position: Int64 { get set }
}

extension Sidecar.Title: SidecarEntry {}
extension Sidecar.Gap: SidecarEntry {}
extension Sidecar.Splice: SidecarEntry {}
extension Sidecar.Stretch: SidecarEntry {}

extension SidecarEntry {
    func moved(by frames: Int64) -> Self {
        var entry = self
        entry.position += frames
        return entry
    }

    func moved(to position: Int64) -> Self {
        moved(by: position - self.position)
    }
}

extension Int64 {
    /// A position once the frames of `range` are gone: those inside fall to its beginning.
    func without(_ range: Range<Int64>) -> Int64 {
        self - Int64(range.clamped(to: Swift.min(self, range.lowerBound)..<self).count)
    }
}

extension Array where Element: SidecarEntry {
    /// Moves the entries down to where their frames are once those of `range` are gone.
    mutating func remove(_ range: Range<Int64>) {
        for index in indices { self[index].position = self[index].position.without(range) }
    }

    /// Splits off the entries from `position` on, for a file that begins there.
    mutating func split(at position: Int64) -> [Element] {
        let rest = filter { $0.position >= position }.map { $0.moved(by: -position) }
        removeAll { $0.position >= position }
        return rest
    }
}

extension Array<Sidecar.Gap> {
    /// Inserts a gap. Gaps before the same frame stand in the order of their times.
    mutating func insertInOrder(_ gap: Sidecar.Gap) {
        let time = gap.at.instant
        let index = firstIndex {
            $0.position > gap.position || ($0.position == gap.position && $0.at.instant >= time)
        }
        insert(gap, at: index ?? endIndex)
    }

    /// Takes a gap out, wherever it has moved to; true where it was there.
    @discardableResult
    mutating func withdraw(_ gap: Sidecar.Gap) -> Bool {
        guard let index = lastIndex(where: { $0.moved(by: gap.position - $0.position) == gap }) else { return false }
        remove(at: index)
        return true
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

extension Array<Sidecar.Stretch> {
    /// Splits off the stretches, or parts of them, from `position` on, for a file that begins there.
    mutating func split(at position: Int64) -> [Element] {
        let rest = compactMap { $0.clamped(to: position..<Int64.max)?.moved(by: -position) }
        self = compactMap { $0.clamped(to: 0..<position) }
        return rest
    }
}

extension Duration {
    /// Rounded to the nearest one.
    var wholeMilliseconds: Int64 {
        let (whole, rest) = wholeNanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
        return whole + (rest >= 500_000 ? 1 : 0)
    }
}

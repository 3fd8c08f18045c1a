// SPDX-License-Identifier: MIT

package import Instants

/// When a station's segments were on air: by the dates in its lists if these are plausible, else by when the segments
/// were listed. A value.
///
/// A date is plausible if it is not before the one before it, and within ten minutes of the segment's listing. Dates in
/// whole seconds are truncated, so the latest of them counts. A segment is never listed before its end was on air, so
/// without dates the earliest listing counts.
package struct HLSClock: Sendable {
    /// Programme time zero according to each of the last segments.
    private var origins: [WallInstant] = []
    private var lastDate: WallInstant?
    /// Whether dates count.
    package private(set) var isDated = false
    /// Whether the dates that count are in whole seconds.
    private var isTruncated = true
    /// How far the time of a segment may be off: nothing worth naming by dates, a second if these are truncated.
    package func error(ofSegments length: Duration) -> Duration {
        isDated ? isTruncated ? .seconds(1) : .zero : max(.seconds(2), length.scaled(3, over: 2))
    }

    /// How many segments in a row had no plausible date.
    private var undated = 0

    /// About three minutes of usual segments.
    private static let remembered = 32
    private static let mostDeviation = Duration.seconds(600)
    /// A date that differs by more from those before says that audio is missing, or that the station's clock was set.
    private static let step = Duration.milliseconds(1_500)
    /// So many segments without a plausible date show that the dates mean nothing.
    private static let enoughUndated = 3

    package init() {}

    /// Takes a segment that begins at programme time `start`, and returns when that was on air. `due`: when its end was
    /// at the edge, at the latest.
    package mutating func note(
        start: Duration, length: Duration, date: WallInstant?, due: WallInstant
    ) -> WallInstant {
        let isPlausible = date.map { date in
            (date + length - due).magnitude <= Self.mostDeviation && lastDate.map { $0 <= date } ?? true
        }
        lastDate = date ?? lastDate
        if let date, isPlausible == true {
            if !isDated || origins.last.map({ (date - start - $0).magnitude > Self.step }) ?? true { begin() }
            isDated = true
            if date.nanoseconds % 1_000_000_000 != 0 { isTruncated = false }
            return note(date - start) + start
        }
        undated += 1
        if isDated, undated < Self.enoughUndated { return origin + start }
        if isDated { begin() }
        return note(due - length - start, isDated: false) + start
    }

    /// Audio of this length is missing before the next segment; nil if its length is unknown.
    package mutating func skip(_ missing: Duration?) {
        origins = missing.map { missing in origins.map { $0 + missing } } ?? []
    }

    private mutating func begin() { (origins, isDated, isTruncated) = ([], false, true) }

    private mutating func note(_ origin: WallInstant, isDated: Bool = true) -> WallInstant {
        if isDated { undated = 0 }
        if origins.count == Self.remembered { origins.removeFirst() }
        origins.append(origin)
        return self.origin
    }

    private var origin: WallInstant {
        let chosen = !isDated ? origins.min() : isTruncated ? origins.max() : origins.last
        return chosen ?? WallInstant(nanoseconds: 0)
    }
}

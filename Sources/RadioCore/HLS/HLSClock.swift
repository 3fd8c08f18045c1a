// SPDX-License-Identifier: MIT

package import Instants

/// When a station's segments were on air: by the dates in its lists if these are plausible, else by when the segments
/// were listed. A value.
///
/// A date is plausible if it is not before the one before it, and within ten minutes of the segment's listing. Dates in
/// whole seconds are truncated, so the latest of them counts. A segment is never listed before its end was on air, so
/// without dates the earliest listing counts.
///
/// A date that a list states for another segment counts from there, by the audio that was delivered since. If that is
/// not known, the lengths of the segments between count. These may be rounded, and the date moves what is known only if
/// rounding cannot explain the difference.
package struct HLSClock: Sendable {
    /// Programme time zero according to each of the last segments.
    private var origins: [WallInstant] = []
    /// When segments began in programme time. What is missing after them is counted.
    private var starts: [(number: Int64, start: Duration)] = []
    private var lastDate: WallInstant?
    /// How far the lengths of segments may make the dates that count wrong, because they may be rounded.
    package private(set) var rounding = Duration.zero
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
    private static let mostStarts = 1_000
    private static let mostDeviation = Duration.seconds(600)
    /// A date that differs by more from those before says that audio is missing, or that the station's clock was set.
    private static let step = Duration.milliseconds(1_500)
    /// So many segments with a date that is not plausible show that the dates mean nothing.
    private static let enoughImplausible = 3

    package init() {}

    /// Takes the segment with this number, which begins at programme time `start`, and returns when that was on air.
    /// `due`: when its end was at the edge, at the latest.
    package mutating func note(
        _ number: Int64, start: Duration, length: Duration, date: SegmentDate?, due: WallInstant
    ) -> WallInstant {
        if starts.count == Self.mostStarts { starts.removeFirst() }
        starts.append((number, start))
        let isPlausible = date.map { date in
            (date.instant + length - due).magnitude <= Self.mostDeviation && lastDate.map { $0 <= date.instant } ?? true
        }
        lastDate = date?.instant ?? lastDate
        if let date, isPlausible == true {
            note(date, start)
            return origin + start
        }
        undated += 1
        let enough = date == nil ? Self.remembered : Self.enoughImplausible
        if isDated, undated < enough, !origins.isEmpty { return origin + start }
        if isDated { begin() }
        append(due - length - start)
        return origin + start
    }

    /// Audio of this length is missing before the next segment; nil if its length is unknown.
    package mutating func skip(_ missing: Duration?) {
        origins = missing.map { missing in origins.map { $0 + missing } } ?? []
        starts = missing.map { missing in starts.map { ($0.number, $0.start - missing) } } ?? []
    }

    private mutating func note(_ date: SegmentDate, _ start: Duration) {
        var (origin, rounding) = (date.instant - start, date.error)
        if let known = starts.last(where: { $0.number == date.number }) {
            (origin, rounding) = (date.stated - known.start, .zero)
        }
        let most = Self.step + rounding + self.rounding
        let isStep = origins.last.map { (origin - $0).magnitude > most } ?? true
        if !isDated || isStep || rounding < self.rounding {
            begin()
            self.rounding = rounding
        }
        (isDated, undated) = (true, 0)
        if date.stated.nanoseconds % 1_000_000_000 != 0 { isTruncated = false }
        if rounding == .zero || origins.isEmpty { append(origin) }
    }

    private mutating func begin() { (origins, isDated, isTruncated, rounding) = ([], false, true, .zero) }

    private mutating func append(_ origin: WallInstant) {
        if origins.count == Self.remembered { origins.removeFirst() }
        origins.append(origin)
    }

    private var origin: WallInstant {
        let chosen = !isDated ? origins.min() : isTruncated ? origins.max() : origins.last
        return chosen ?? WallInstant(nanoseconds: 0)
    }
}

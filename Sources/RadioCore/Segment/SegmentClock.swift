// SPDX-License-Identifier: MIT

import Instants
import RadioFormats

/// The time that determines periods and names.
enum SegmentClock: Sendable {
    /// A live station: air time, with periods by the clocks of a zone.
    case air(zone: any TimeZoneRules)
    /// A file, which may arrive at any speed: media time, with periods from its beginning. For names, its first frame
    /// counts as aired at `start`; air times are ignored.
    case media(start: WallInstant)
}

/// Tracks the next period boundary in samples, so that one comparison per chunk shows whether a cut falls into it.
///
/// A boundary causes at most one cut, even if the map from media time to air time moves back a little afterwards
/// (because the station's edge has changed, or a better fit was found). If time jumps by more than ``jump``, the clock
/// has been set: then nothing is cut, and the next boundary is planned anew.
struct PeriodTracker: Sendable {
    /// If air time moves by more than this within one connection, a clock was set: a better measurement alone does not
    /// move air time that far.
    static let jump = Duration.seconds(120)

    private var clock: SegmentClock
    /// The length of a period; nil if nothing is cut by time.
    private let period: Duration?
    /// The current map; nil until one is known.
    private(set) var map: AirTime?
    /// Whether the map belongs to frames before a gap or of another format, so that it says little about the current
    /// frames.
    private(set) var isStale = false
    /// The next boundary, and the instant after which it is the first boundary; nil while no segment is open.
    private var next: (boundary: WallInstant, after: WallInstant)?
    /// The next boundary.
    var boundary: WallInstant? { next?.boundary }
    /// The first frame that ends after this sample begins the next segment. While the map is stale, any frame may begin
    /// it.
    private(set) var cutSample = Int64.max

    init(clock: SegmentClock, policy: SegmentPolicy) {
        self.clock = clock
        period = if case .period(let period) = policy { period } else { nil }
    }

    /// Whether media time applies, so that there is nothing to wait for.
    var isMediaTime: Bool {
        if case .media = clock { true } else { false }
    }

    /// Starts a new count of samples at `first`, which is `mediaTime` after the beginning.
    ///
    /// Air time continues from sample `last` of the old count until a map for the new count arrives.
    mutating func restart(at first: Int64, rate: Int, mediaTime: Duration, last: Int64) {
        let start: WallInstant? =
            switch clock {
            case .media(let start): start + mediaTime
            case .air: map?.instant(ofSample: last)
            }
        guard let start else { return }
        map = AirTime(origin: start - .samples(first, at: rate), sampleRate: rate, isSettled: isMediaTime)
        locate()
        followGap()
    }

    /// Marks the map as stale: the frames that follow aired later than the map says, by a time that is unknown until
    /// the next map.
    mutating func followGap() {
        guard !isMediaTime, map != nil else { return }
        isStale = true
        if next != nil { cutSample = .min }
    }

    /// Switches from media time to air time. Earlier frames keep their dates, and the next boundary stays.
    mutating func followAirTime(zone: any TimeZoneRules) {
        if isMediaTime { clock = .air(zone: zone) }
    }

    /// Takes a new map; `sample` is the current end of the stream.
    mutating func adopt(_ new: AirTime, at sample: Int64) {
        guard !isMediaTime else { return }
        if let next, new.isSettled {
            let here = new.instant(ofSample: sample)
            let steppedBack = here + Self.jump < next.after
            let steppedForward = !isStale && map.map { $0.isSettled && $0.origin + Self.jump < new.origin } ?? false
            if steppedBack || steppedForward { plan(after: here) }
        }
        map = new
        isStale = false
        locate()
    }

    /// Plans the next boundary: the first one after the segment's first frame, and after the boundary of the last cut.
    mutating func beginSegment(firstFrame: Range<Int64>, isPeriodOver: Bool) {
        guard let map, period != nil else { return }
        let start = map.instant(ofSample: firstFrame.lowerBound)
        let end = map.instant(ofSample: firstFrame.upperBound) - .nanoseconds(1)
        let last = isPeriodOver ? next?.boundary : next?.after
        plan(after: max(start, end, last ?? start))
        locate()
        cutSample = max(cutSample, firstFrame.upperBound)
    }

    /// The time at which the sample was live. It is the epoch if no map is known, but in that case the planner does not
    /// call this.
    func instant(ofSample sample: Int64) -> WallInstant {
        map?.instant(ofSample: sample) ?? WallInstant(nanoseconds: 0)
    }

    private mutating func plan(after instant: WallInstant) {
        guard let period else { return }
        let boundary =
            switch clock {
            case .air(let zone): PeriodAlignment.nextBoundary(after: instant, period: period, zone: zone)
            case .media(let start): PeriodTracker.nextMultiple(of: period, since: start, after: instant)
            }
        next = (boundary, instant)
    }

    private mutating func locate() {
        guard let next, let map else { return }
        cutSample = map.sample(at: next.boundary)
    }

    private static func nextMultiple(
        of period: Duration, since start: WallInstant, after instant: WallInstant
    ) -> WallInstant {
        let step = max(period.wholeNanoseconds, 1_000_000)
        let passed = (instant - start).wholeNanoseconds.dividedRoundingDown(by: step).quotient
        return start + .nanoseconds((passed + 1).multipliedSaturated(by: step))
    }
}

extension AirTime {
    /// The last sample that was live at or before the instant; the inverse of ``instant(ofSample:)``.
    func sample(at instant: WallInstant) -> Int64 {
        let (nanoseconds, overflow) = instant.nanoseconds.subtractingReportingOverflow(origin.nanoseconds)
        guard !overflow else { return instant < origin ? .min : .max }
        let (seconds, rest) = nanoseconds.dividedRoundingDown(by: 1_000_000_000)
        let (whole, overflow2) = seconds.multipliedReportingOverflow(by: Int64(sampleRate))
        guard !overflow2 else { return seconds < 0 ? .min : .max }
        let (part, overflow3) = rest.multipliedReportingOverflow(by: Int64(sampleRate))
        guard !overflow3 else { return whole }
        let (sum, overflow4) = whole.addingReportingOverflow(part / 1_000_000_000)
        return overflow4 ? .max : sum
    }
}

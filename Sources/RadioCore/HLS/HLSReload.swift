// SPDX-License-Identifier: MIT

import Instants

/// When to load a list again (RFC 8216 §6.3.4): one target duration after the start of a load that brought news, half
/// of it after one that brought none. A value.
///
/// If a list says nothing new for 1.5 target durations, its server may be stuck, so every other load asks the
/// configured address where the list is now. A failed load is tried again as a station is, whatever the outage.
struct HLSReload: Sendable {
    /// The next load; nil while one is under way.
    private(set) var due: MonotonicInstant?
    private(set) var target = Duration.seconds(6)
    /// When a list last brought news.
    private(set) var newsAt: MonotonicInstant?
    /// Whether the next load asks the configured address where the list is.
    private(set) var isFresh = true
    private var backoff: Backoff
    private var lastFresh: MonotonicInstant?
    /// Whether the last load failed.
    private var hasFailed = false
    /// Until when its server wants no request.
    private var held: MonotonicInstant?

    /// Lists may state any target duration.
    private static let targets = Duration.seconds(1)...Duration.seconds(60)

    init(seed: UInt64) {
        backoff = Backoff(seed: seed)
    }

    /// Whether there has been no news for so long that the station counts as away.
    func isAway(_ now: MonotonicInstant) -> Bool { quiet(now) >= target * 3 }

    /// How long there has been no news.
    func quiet(_ now: MonotonicInstant) -> Duration { newsAt.map { now - $0 } ?? .zero }

    /// Demands a load at once.
    mutating func restart(_ now: MonotonicInstant) {
        backoff.restart(at: now)
        (due, isFresh) = (now, true)
    }

    mutating func begin() { due = nil }

    /// A load that began at `began` has brought a list. `span`: the playing time of that list; `isOver`: whether it
    /// says that nothing follows.
    mutating func loaded(
        began: MonotonicInstant, hasNews: Bool, target: Duration, span: Duration, isOver: Bool, _ now: MonotonicInstant
    ) {
        self.target = min(max(target, Self.targets.lowerBound), Self.targets.upperBound)
        // Some lists state far too long a target duration.
        let half = max(.milliseconds(500), min(self.target, span) / 2)
        (hasFailed, held) = (false, nil)
        if hasNews || newsAt == nil {
            newsAt = now
            // A list that has little audio must not be missed. Its own server may reload as often.
            let isShort = span < self.target * 4
            (due, isFresh) = (began + (isShort ? half : self.target), false)
            _ = backoff.delivered(Self.targets.upperBound, in: Self.targets.upperBound, now)
        } else {
            isFresh = quiet(now) >= self.target * 3 / 2 && !isFresh
            due = began + max(half, isAway(now) ? backoff.delay(at: now) : .zero)
        }
        if isOver { (due, isFresh) = (began + max(self.target, backoff.delay(at: now)), true) }
        due = max(due ?? now, now)
    }

    /// A load has failed. `isGone`: whether its address is no longer valid.
    mutating func failed(isGone: Bool, hold: Duration?, _ now: MonotonicInstant) {
        isFresh = isGone || hasFailed && !isFresh
        (hasFailed, held) = (true, hold.map { now + $0 })
        due = max(now + backoff.delay(at: now), held ?? now)
    }

    /// Asks the configured address for the list, unless it was asked just before: a segment could not be fetched.
    mutating func wantFresh(_ now: MonotonicInstant) {
        guard lastFresh.map({ now - $0 >= target / 2 }) ?? true, due != nil else { return }
        (lastFresh, due, isFresh) = (now, max(now, held ?? now), true)
    }
}

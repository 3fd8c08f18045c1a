// SPDX-License-Identifier: MIT

import Instants

/// Whether a connection brings audio faster than it plays, or at its own pace. A pure value.
struct DeliveryPace {
    private var began: MonotonicInstant?
    /// How far ahead the audio was when it was held back; nil while it is not.
    private var heldAhead: Duration?
    /// The most by which the audio was ever ahead of the time that had passed, and when that was.
    private var furthest = Duration.zero
    private var furthestAt: MonotonicInstant?

    /// Audio that is ahead by this much more is no jitter.
    private static let step = Duration.milliseconds(200)
    /// A file that stood still on its way has this time to catch up.
    private static let steady = Duration.seconds(10)
    private static let fast = Duration.seconds(3)
    /// No station has a burst of this length.
    private static let beyondBurst = Duration.seconds(120)

    /// A delivery has come. All audio so far plays for `played`.
    mutating func arrived(_ played: Duration, _ now: MonotonicInstant) {
        // Time in which it was held back does not count.
        if let held = heldAhead.take() { (began, furthestAt) = (now - (played - held), now) }
        let ahead = played - (now - (began ?? now))
        if furthestAt == nil || ahead >= furthest + Self.step { (furthest, furthestAt) = (ahead, now) }
        began = began ?? now
    }

    /// No more is wanted for now.
    mutating func heldBack() { heldAhead = furthest }

    /// Audio has come no faster than it plays for some time: that is a station.
    func isSteady(_ now: MonotonicInstant) -> Bool { furthestAt.map { now - $0 >= Self.steady } ?? false }

    /// More audio has come than a burst and the time that has passed account for.
    var isBeyondBurst: Bool { furthest > Self.beyondBurst }

    /// Up to now audio has come faster than it plays.
    func isFast(_ now: MonotonicInstant) -> Bool { furthestAt.map { now - $0 <= Self.fast } ?? false }
}

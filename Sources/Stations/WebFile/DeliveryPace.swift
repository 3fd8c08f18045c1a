// SPDX-License-Identifier: MIT

import Instants

/// Whether a connection delivers audio faster than real time. A pure value.
struct DeliveryPace {
    private var began: MonotonicInstant?
    /// The lead at the start of the current pause; nil while not paused.
    private var heldAhead: Duration?
    /// The largest lead of the audio over the elapsed time, and when it was reached.
    private var furthest = Duration.zero
    private var furthestAt: MonotonicInstant?

    /// A smaller increase of the lead is jitter.
    private static let step = Duration.milliseconds(200)
    /// How long the lead must not have grown for a connection to count as steady. A file that has stalled can catch up
    /// within this time.
    private static let steady = Duration.seconds(10)
    private static let fast = Duration.seconds(3)
    /// A lead beyond this is not a burst: no station has a burst this long.
    static let longestBurst = Duration.seconds(120)

    /// Measures the pace by a delivery. `played`: how long all audio so far plays.
    mutating func arrived(_ played: Duration, _ now: MonotonicInstant) {
        // Paused time does not count.
        if let held = heldAhead.take() { (began, furthestAt) = (now - (played - held), now) }
        let ahead = played - (now - (began ?? now))
        if furthestAt == nil || ahead >= furthest + Self.step { (furthest, furthestAt) = (ahead, now) }
        began = began ?? now
    }

    /// Stops the clock while the source is paused.
    mutating func heldBack() { heldAhead = furthest }

    /// Whether audio has arrived no faster than real time for a while, as from a station.
    func isSteady(_ now: MonotonicInstant) -> Bool { furthestAt.map { now - $0 >= Self.steady } ?? false }

    /// Whether more audio has arrived than a burst and the elapsed time explain.
    var isBeyondBurst: Bool { furthest > Self.longestBurst }

    /// Whether most of the audio so far, which plays for `played`, has arrived at once.
    func isMostlyBurst(_ played: Duration) -> Bool { furthest.scaled(2) > played }

    /// Whether audio has been arriving faster than real time until now.
    func isFast(_ now: MonotonicInstant) -> Bool { furthestAt.map { now - $0 <= Self.fast } ?? false }
}

// SPDX-License-Identifier: MIT

import Instants

/// Tells when the burst of one connection is over. A pure value, fed with (arrival − media time) of each delivery, in
/// nanoseconds: audio that is less delayed than all before it is part of the burst.
struct BurstWatch: Sendable {
    /// The least so far: when media time 0 was at the edge.
    private(set) var least: Int64?
    /// Since when nothing came that was less delayed by more than jitter.
    private(set) var pacedSince: MonotonicInstant?
    /// The burst is over: a second has passed since then, and what comes now is on time, so that nothing more is under
    /// way that the loop or the network has held up. Where everything stays late, three seconds.
    private(set) var isOver = false

    /// The least as it was at `pacedSince`: what creeps is no calm.
    private var pacedLeast = Int64.max

    private static let calm = Duration.seconds(1)
    private static let longestCalm = Duration.seconds(3)
    private static let jitter = Duration.milliseconds(40).wholeNanoseconds
    private static let onTime = Duration.milliseconds(200).wholeNanoseconds

    mutating func arrived(_ origin: Int64, _ now: MonotonicInstant) {
        let least = min(origin, least ?? .max)
        self.least = least
        if pacedSince == nil || least < pacedLeast - Self.jitter { (pacedSince, pacedLeast) = (now, least) }
        guard !isOver, let pacedSince else { return }
        isOver = now - pacedSince >= (origin <= least + Self.onTime ? Self.calm : Self.longestCalm)
    }

    /// Counts media time from another place.
    mutating func move(_ moved: (Int64) -> Int64) {
        least = least.map(moved)
        if pacedSince != nil { pacedLeast = moved(pacedLeast) }
    }
}

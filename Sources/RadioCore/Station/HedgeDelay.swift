// SPDX-License-Identifier: MIT

/// After how long without a frame a second connection is opened beside the first: a pure function of what was measured.
///
/// The second connection's burst must still reach back to the last frame that was heard, so half of the burst may pass;
/// but a pause that the station always makes is no stall.
package struct HedgeDelay: Hashable, Sendable {
    /// How much audio the station sends at once on connect; nil while that is not known.
    package var burst: Duration?
    /// The station's usual pause between two deliveries; nil while that is not known.
    package var pause: Duration?

    private static let shortest = Duration.milliseconds(600)
    private static let longest = Duration.milliseconds(2_500)
    private static let usualPauses = 4

    package init(burst: Duration? = nil, pause: Duration? = nil) {
        self.burst = burst
        self.pause = pause
    }

    /// The delay, for a station that counts as stalled for good after `stall` without a frame.
    package func duration(stall: Duration) -> Duration {
        let ofBurst = burst.map { min(max($0 / 2, Self.shortest), Self.longest) } ?? Self.longest
        let pause = min(max(pause ?? .zero, .zero), stall)
        // The second connection is to have its chance before the stall, but a station that pauses for longer may do so.
        let latest = max(stall / 2, min(pause * 3 / 2, stall * 9 / 10))
        return min(max(ofBurst, pause * Self.usualPauses), latest)
    }
}

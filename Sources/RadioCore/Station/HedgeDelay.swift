// SPDX-License-Identifier: MIT

import Instants

/// The time without a frame after which a second connection is opened beside the first: a pure function of
/// measurements.
///
/// The second connection's burst must still reach back to the last delivered frame, so the delay is half of the burst.
/// A station with long pauses gets a longer delay, because its usual pause is not a stall.
package struct HedgeDelay: Hashable, Sendable {
    /// How much audio the station sends at once on connect; nil while unknown.
    package var burst: Duration?
    /// The station's usual pause between two deliveries; nil while unknown.
    package var pause: Duration?

    private static let shortest = Duration.milliseconds(600)
    private static let longest = Duration.milliseconds(2_500)
    private static let usualPauses: Int64 = 4

    /// The delay, for a station that is given up after `stall` without a frame.
    package func duration(stall: Duration) -> Duration {
        let ofBurst = burst.map { min(max($0.scaled(1, over: 2), Self.shortest), Self.longest) } ?? Self.longest
        let pause = min(max(pause ?? .zero, .zero), stall)
        // The second connection must get its chance before the stall: after half of the time that makes a stall, or
        // later if the station's usual pauses are long.
        let latest = max(stall.scaled(1, over: 2), min(pause.scaled(3, over: 2), stall.scaled(9, over: 10)))
        return min(max(ofBurst, pause.scaled(Self.usualPauses)), latest)
    }
}

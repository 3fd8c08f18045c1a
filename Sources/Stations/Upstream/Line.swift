// SPDX-License-Identifier: MIT

import Instants
import RadioCore

/// One of a station's connections, and where its frames join the programme. Confined to the loop's thread.
final class Line {
    /// Which of the machine's attempts it is.
    var number: Int
    let upstream: Upstream
    let joint: Joint
    /// Those of its signs of life that the machine knows of.
    private var newsTold: Int64 = 0
    /// Whether it has been said what it is.
    var isAnnounced = false
    /// How much audio it began with at once, once known.
    var burst: Duration? { clock.burst }
    /// How long the station usually pauses between two deliveries, once known.
    var usualPause: Duration? { pause.usual }

    /// In nanoseconds of media time.
    private var clock = EdgeClock(sampleRate: Splicer.nanosecondRate)
    private var pause = DeliveryPause()
    private(set) var pace = DeliveryPace()

    init(_ number: Int, _ upstream: Upstream, _ joint: Joint) {
        self.number = number
        self.upstream = upstream
        self.joint = joint
    }

    /// Whether the burst at the connection's beginning is over, and the station has been seen to deliver as it usually
    /// does.
    var hasBurstEnded: Bool { clock.isSettled && pause.usual != nil }

    /// Frames have arrived, held back or not: until then each delivery tells how the station delivers.
    func arrived(_ now: MonotonicInstant) {
        pace.arrived(.nanoseconds(joint.played), now)
        guard !hasBurstEnded else { return }
        clock.arrived(from: 0, upTo: joint.played, now: now)
        // The pieces of a burst say nothing of what comes after it.
        if clock.pacedSince == now { pause = DeliveryPause() }
        pause.delivered(now)
    }

    /// Whether frames have come since this was asked last. Bytes alone are no sign of life.
    func takeNews() -> Bool {
        defer { newsTold = joint.news }
        return joint.news > newsTold
    }
}

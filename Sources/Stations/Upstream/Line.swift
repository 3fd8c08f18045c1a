// SPDX-License-Identifier: MIT

import Instants
import RadioCore

/// One of a station's connections, and where its frames join the programme. Confined to the loop's thread.
final class Line {
    /// Which of the machine's attempts it is.
    private(set) var number: Int
    /// Which of the station's addresses it goes to, before any redirect.
    let mirror: String
    let upstream: Upstream
    let joint: Joint
    /// When its frames were at its server's edge.
    private(set) var clock = EdgeClock()
    /// How many of its signs of life the machine knows of.
    private var newsTold: Int64 = 0
    /// The length of the burst with which it began, once known.
    var burst: Duration? { clock.burst }
    /// How long the station usually pauses between two deliveries, once known.
    var usualPause: Duration? { pause.usual }

    private var isAnnounced = false
    private var pause = DeliveryPause()
    private(set) var pace = DeliveryPace()

    init(_ number: Int, mirror: String, _ upstream: Upstream, _ joint: Joint) {
        self.number = number
        self.mirror = mirror
        self.upstream = upstream
        self.joint = joint
        upstream.taker = joint
    }

    /// Whether the burst at the connection's beginning is over, and the station has been seen to deliver as it usually
    /// does.
    var hasBurstEnded: Bool { clock.isSettled && pause.usual != nil }

    /// Opens a file that broke off again, which goes on in the same place.
    func reopen(_ number: Int) {
        self.number = number
        upstream.open()
    }

    /// The response may carry audio. A relay says how old its first frame is.
    func accepted(_ info: StationInfo, _ now: MonotonicInstant) {
        if info.kind == .finite {
            joint.takeAsFile()
        } else if let age = upstream.age {
            clock.began(at: now - age)
        }
    }

    /// Frames have arrived, held back or not. Until the burst is over and the joint open, each delivery tells how the
    /// station delivers.
    func arrived(_ now: MonotonicInstant) {
        pace.arrived(joint.played, now)
        guard !hasBurstEnded || !joint.isOpen else { return }
        clock.arrived(from: .zero, upTo: joint.played, now: now)
        // The pauses within a burst say nothing of those after it.
        if clock.pacedSince == now { pause = DeliveryPause() }
        pause.delivered(now)
    }

    /// What comes waits from now on, until more comes.
    func heldBack() { pace.heldBack() }

    /// What the connection is, once it is known what it sends. Handed out once.
    func takeAnnouncement() -> StationInfo? {
        guard !isAnnounced, joint.hasFormat, var info = upstream.info else { return nil }
        isAnnounced = true
        info.trim = upstream.trim
        return info
    }

    /// When a decision on its frames may fall although nothing has arrived.
    var deadline: MonotonicInstant? { joint.deadline(clock) }

    /// Whether frames have come since this was asked last. Bytes alone are no sign of life.
    func takeNews() -> Bool {
        defer { newsTold = joint.news }
        return joint.news > newsTold
    }
}

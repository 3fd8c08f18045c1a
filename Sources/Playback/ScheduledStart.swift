// SPDX-License-Identifier: MIT

import EventLoop
import Instants

/// The instant at which the first sound is to be heard.
final class ScheduledStart {
    /// Called shortly before the instant, to choose the place in a station.
    var onApproach: (() -> Void)?
    private let wall: WallInstant?
    private let reactor: any Reactor
    private var timer: (any ReactorTimer)?
    private var isTold = false

    private static let approach = Duration.seconds(1)
    /// A shorter wait is not reported.
    private static let leastTold = Duration.seconds(2)

    /// `wall` is the instant; nil for at once.
    init(at wall: WallInstant?, reactor: any Reactor) {
        self.wall = wall
        self.reactor = reactor
    }

    /// The instant on the loop's monotonic clock; nil if it has passed, or none was given.
    var instant: MonotonicInstant? {
        guard let wall else { return nil }
        let clocks = reactor.readClocks()
        return wall > clocks.wall ? clocks.instant(of: wall) : nil
    }

    var remaining: Duration? { instant.map { $0 - reactor.now } }

    func begin() {
        guard let instant else { return }
        timer = reactor.makeTimer { [weak self] in self?.onApproach?() }
        timer?.arm(at: instant - Self.approach)
    }

    /// Returns the event that reports the wait, once; nil if the wait is short.
    func takeNotice() -> PlayerEvent? {
        guard let wall, let remaining, !isTold else { return nil }
        isTold = true
        return remaining > Self.leastTold ? .begins(at: wall, in: remaining) : nil
    }

    func stop() { timer = nil }
}

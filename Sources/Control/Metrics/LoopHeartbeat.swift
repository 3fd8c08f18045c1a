// SPDX-License-Identifier: MIT

package import EventLoop
import Instants

/// Measures how late the loop is: how long a timer that fires each quarter second is delayed.
package final class LoopHeartbeat {
    private let reactor: any Reactor
    private lazy var timer = reactor.makeTimer { [weak self] in self?.beat() }
    private var due: MonotonicInstant
    private var recent: [Duration] = []

    private static let interval = Duration.milliseconds(250)
    /// The number of delays kept. They cover 15 s, the usual interval at which metrics are read.
    private static let count = 60

    package init(_ reactor: any Reactor) {
        self.reactor = reactor
        due = reactor.now + Self.interval
        timer.arm(at: due)
    }

    deinit { timer.cancel() }

    /// The longest delay of the last 15 s.
    package var lag: Duration { recent.max() ?? .zero }

    private func beat() {
        let now = reactor.readClocks().now
        if recent.count == Self.count { recent.removeFirst() }
        recent.append(max(.zero, now - due))
        due = now + Self.interval
        timer.arm(at: due)
    }
}

// SPDX-License-Identifier: MIT

import EventLoop
import Instants

/// Decides when the sidecar of the growing file is due: every ten seconds, and at once after an event that must not be
/// lost if the process is killed.
final class SidecarPace {
    /// Called when the sidecar is due.
    var onDue: (() -> Void)?

    private let reactor: any Reactor
    private lazy var timer = reactor.makeTimer { [weak self] in self?.fallDue() }
    /// When a sidecar was last due.
    private var lastDue: MonotonicInstant?

    private static let interval = Duration.seconds(10)
    /// Bounds the rewrites for a station that drops its connection repeatedly.
    private static let leastInterval = Duration.seconds(1)

    init(_ reactor: any Reactor) {
        self.reactor = reactor
    }

    /// Begins with a new file, whose first sidecar has been written.
    func begin() { timer.arm(at: reactor.now + Self.interval) }

    /// Makes the sidecar due at once, but not within a second of the last time.
    func soon() {
        guard let lastDue, reactor.now - lastDue < Self.leastInterval else { return fallDue() }
        timer.arm(at: lastDue + Self.leastInterval)
    }

    /// Stops the timer, because the file has ended.
    func stop() { timer.cancel() }

    private func fallDue() {
        lastDue = reactor.now
        begin()
        onDue?()
    }
}

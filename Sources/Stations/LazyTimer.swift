// SPDX-License-Identifier: MIT

import EventLoop
import Instants

/// A timer for a deadline that moves with every delivery. The timer of the loop below it is rearmed only if the new
/// deadline is earlier than the old one, or later by at least the slack, because each rearming has a cost. If it fires
/// too early for that reason, it is rearmed, and nobody is told.
final class LazyTimer {
    private let reactor: any Reactor
    private var timer: (any ReactorTimer)?
    private var deadline: MonotonicInstant?
    /// When the timer of the loop fires: at the deadline, or earlier by less than the slack; nil if it is not armed.
    private var due: MonotonicInstant?
    private let slack: Duration
    private let fired: () -> Void

    /// `fired` is called once the deadline has passed.
    init(_ reactor: any Reactor, slack: Duration, fired: @escaping () -> Void) {
        (self.reactor, self.slack, self.fired) = (reactor, slack, fired)
        timer = reactor.makeTimer { [weak self] in self?.timerFired() }
    }

    func arm(at deadline: MonotonicInstant) {
        self.deadline = deadline
        if let due, due <= deadline, deadline < due + slack { return }
        due = deadline
        timer?.arm(at: deadline)
    }

    func cancel() {
        (deadline, due) = (nil, nil)
        timer?.cancel()
    }

    private func timerFired() {
        due = nil
        guard let deadline else { return }
        guard deadline <= reactor.now else { return arm(at: deadline) }
        self.deadline = nil
        fired()
    }
}

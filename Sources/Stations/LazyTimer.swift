// SPDX-License-Identifier: MIT

import EventLoop
import Instants

/// A timer that may fire early, but never late. It is rearmed only if the new deadline is earlier than the old one, or
/// later by at least the slack. Meant for deadlines that move with every delivery: each firing wakes the process, and
/// each rearming has a cost, too.
final class LazyTimer {
    private var timer: (any ReactorTimer)?
    private var due: MonotonicInstant?
    private let slack: Duration

    /// A deadline that moves later by less than `slack` leaves the timer as it is. `fired` must check its own deadlines
    /// and rearm the timer.
    init(_ reactor: any Reactor, slack: Duration, fired: @escaping () -> Void) {
        self.slack = slack
        timer = reactor.makeTimer { [weak self] in
            self?.due = nil
            fired()
        }
    }

    func arm(at deadline: MonotonicInstant) {
        if let due, due <= deadline, deadline < due + slack { return }
        due = deadline
        timer?.arm(at: deadline)
    }

    func cancel() {
        due = nil
        timer?.cancel()
    }
}

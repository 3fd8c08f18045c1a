// SPDX-License-Identifier: MIT

import EventLoop
import Instants

/// A timer that may fire too early, but never late: it is armed anew only where its deadline is earlier than before, or
/// later by enough to be worth it. It is for deadlines that move with every delivery: each firing wakes the process,
/// and each arming costs something, too. Confined to the loop's thread.
final class LazyTimer {
    private var timer: (any ReactorTimer)?
    private var due: MonotonicInstant?
    private let slack: Duration

    /// `slack`: a deadline that moves later by less than this leaves the timer as it is. `fired` checks its own
    /// deadlines and arms the timer again.
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

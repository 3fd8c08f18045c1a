// SPDX-License-Identifier: MIT

import EventLoop
import Instants

/// A timer that may fire too early, and never late: it is armed anew only where it is due earlier than before, or later
/// by enough to be worth it. For a deadline that moves with everything that comes: each time that a timer fires
/// wakes the process, and arming it costs something, too. Confined to the loop's thread.
final class LazyTimer {
    private var timer: (any ReactorTimer)?
    private var due: MonotonicInstant?
    private let slack: Duration

    /// `slack`: what is due later than before by less than this is left as it is. Whoever is called looks at its
    /// deadlines, and arms the timer again.
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

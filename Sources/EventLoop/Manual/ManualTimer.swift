// SPDX-License-Identifier: MIT

import Instants

/// A timer of virtual time. Dropping it cancels it.
final class ManualTimer: ReactorTimer {
    private let reactor: ManualReactor
    private let handler: () -> Void

    init(reactor: ManualReactor, handler: @escaping () -> Void) {
        self.reactor = reactor
        self.handler = handler
    }

    deinit { reactor.disarm(self) }

    func arm(at instant: MonotonicInstant) { reactor.arm(self, at: instant) }

    func cancel() { reactor.disarm(self) }

    var isArmed: Bool { reactor.isArmed(self) }

    func fire() { handler() }
}

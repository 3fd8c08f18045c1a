// SPDX-License-Identifier: MIT

import CLinux
package import EventLoop
import Glibc

/// Hears that the wall clock was set, as opposed to having gone on: by a time server after the start of a board that
/// has no clock of its own, or by hand. Confined to the loop's thread; ends with the object, or with ``close()``.
///
/// `timerfd_create(2)` with `TFD_TIMER_CANCEL_ON_SET`. A clock that is only made to run faster or slower for a time
/// (`adjtime`) is not set, and neither is one that goes on after the machine slept.
package final class ClockSteps {
    private var timer: OwnedDescriptor?
    private let onStep: () -> Void

    /// Begins to listen. Nil where the kernel or a sandbox does not allow it: then nobody is told.
    package convenience init?(reactor: any Reactor, onStep: @escaping () -> Void) {
        let descriptor = ac_open_clock_steps()
        guard descriptor >= 0 else { return nil }
        self.init(descriptor: descriptor, reactor: reactor, onStep: onStep)
    }

    /// The same on a non-blocking descriptor that is there already, and is owned from now on.
    init(descriptor: CInt, reactor: any Reactor, onStep: @escaping () -> Void) {
        self.onStep = onStep
        timer = OwnedDescriptor(descriptor, reactor: reactor) { [unowned self] in read($0) }
    }

    /// Ends it; nothing is told any more. Idempotent.
    package func close() { timer = nil }

    /// The kernel says it with an error (`ECANCELED`), once for each time, and goes on watching.
    private func read(_ descriptor: CInt) {
        var expirations: UInt64 = 0
        let count = Glibc.read(descriptor, &expirations, MemoryLayout<UInt64>.size)
        if count < 0, errno == EAGAIN || errno == EINTR { return }
        // An expiry is as good: the timer stands at the end of time, so the clock must have got there.
        if count < 0, errno != ECANCELED { return close() }
        if count == 0 { return close() }
        onStep()
    }
}

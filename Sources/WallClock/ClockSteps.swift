// SPDX-License-Identifier: MIT

import CLinux
package import EventLoop
import Glibc

/// Detects that the wall clock was set: by hand, or by a time server after the start of a board without a clock of its
/// own. The watch ends with the object, or with ``close()``.
///
/// Uses `timerfd_create(2)` with `TFD_TIMER_CANCEL_ON_SET`. Slewing the clock (`adjtime`) does not count as setting it,
/// nor does the clock's advance while the machine sleeps.
package final class ClockSteps {
    private var timer: OwnedDescriptor?
    private let onStep: () -> Void

    /// Starts watching; `onStep` is called each time the clock was set. Returns nil if the kernel or a sandbox refuses
    /// the timer.
    package convenience init?(reactor: any Reactor, onStep: @escaping () -> Void) {
        let descriptor = ac_open_clock_steps()
        guard descriptor >= 0 else { return nil }
        self.init(descriptor: descriptor, reactor: reactor, onStep: onStep)
    }

    /// Watches an open, non-blocking timer descriptor, and takes ownership of it.
    init(descriptor: CInt, reactor: any Reactor, onStep: @escaping () -> Void) {
        self.onStep = onStep
        timer = OwnedDescriptor(descriptor, reactor: reactor) { [unowned self] in read($0) }
    }

    /// Stops watching; `onStep` is not called again. Idempotent.
    package func close() { timer = nil }

    /// Reads the timer. The kernel reports each setting of the clock with one error (`ECANCELED`), and keeps watching.
    private func read(_ descriptor: CInt) {
        var expirations: UInt64 = 0
        let count = Glibc.read(descriptor, &expirations, MemoryLayout<UInt64>.size)
        if count < 0, errno == EAGAIN || errno == EINTR { return }
        // An expiry counts, too: the timer is armed for the end of time, so only a clock that was set can reach it.
        if count < 0, errno != ECANCELED { return close() }
        if count == 0 { return close() }
        onStep()
    }
}

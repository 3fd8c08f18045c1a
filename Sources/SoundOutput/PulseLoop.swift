// SPDX-License-Identifier: MIT

import CLibPulse
import Instants
import Platform

/// libpulse's own main loop, on the thread that turns it.
final class PulseLoop {
    let handle: OpaquePointer
    /// The loop watches its counter.
    private let waker: Waker

    /// Nil without memory or descriptors. The library must be open.
    init?(waker: Waker) {
        guard let handle = ac_pulse_loop_create(waker.counter.number) else { return nil }
        self.handle = handle
        self.waker = waker
    }

    deinit { ac_pulse_loop_free(handle) }

    /// Waits for something to do until an instant (for ever where nil), and does it. A descriptor that is readable wakes
    /// it.
    func turn(until deadline: MonotonicInstant?, or descriptor: CInt? = nil) {
        ac_pulse_loop_watch(handle, descriptor ?? -1)
        guard let deadline else {
            ac_pulse_loop_turn(handle, -1)
            return
        }
        let left = (deadline - .read()).wholeNanoseconds
        ac_pulse_loop_turn(handle, max(0, left / 1000 + (left % 1000 > 0 ? 1 : 0)))
    }

    /// Whether somebody has woken it since this was last asked.
    func wasWoken() -> Bool { ac_pulse_loop_was_woken(handle) }
}

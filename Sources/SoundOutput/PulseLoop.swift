// SPDX-License-Identifier: MIT

import CLibPulse
import Instants
import Platform

/// libpulse's main loop. Confined to the thread that runs it.
final class PulseLoop {
    let handle: OpaquePointer
    /// The waker, kept because the loop watches its counter.
    private let waker: Waker

    /// Returns nil if memory or descriptors run out. The library must be open.
    init?(waker: Waker) {
        guard let handle = ac_pulse_loop_create(waker.counter.number) else { return nil }
        self.handle = handle
        self.waker = waker
    }

    deinit { ac_pulse_loop_free(handle) }

    /// Runs one iteration: blocks until there is something to do, until `descriptor` is readable, or until the deadline
    /// (for ever if nil), and then does what is due.
    func turn(until deadline: MonotonicInstant?, or descriptor: CInt? = nil) {
        ac_pulse_loop_watch(handle, descriptor ?? -1)
        guard let deadline else {
            ac_pulse_loop_turn(handle, -1)
            return
        }
        let left = (deadline - .read()).wholeNanoseconds
        ac_pulse_loop_turn(handle, max(0, left / 1000 + (left % 1000 > 0 ? 1 : 0)))
    }

    /// Whether the waker or the descriptor has woken the loop since the last call.
    func wasWoken() -> Bool { ac_pulse_loop_was_woken(handle) }
}

// SPDX-License-Identifier: MIT

import CLinux
import Glibc
import Synchronization

/// Tells a thread, which may be waiting in `poll`, to stop, once and for all. Thread-safe.
package final class StopFlag: Sendable {
    /// An event counter (`eventfd`) that becomes readable with ``raise()`` and stays readable.
    private let counter: Descriptor
    private let hasStopped = Atomic<Bool>(false)

    package init() throws(SystemError) {
        counter = Descriptor(owning: try systemCall { ac_open_event_counter() })
    }

    /// The descriptor to poll; open as long as this object exists.
    package var descriptor: CInt { counter.number }

    package var isRaised: Bool { hasStopped.load(ordering: .relaxed) }

    /// Tells the thread to stop. Idempotent.
    package func raise() {
        guard !hasStopped.exchange(true, ordering: .relaxed) else { return }
        var one: UInt64 = 1
        // Cannot fail: the counter has room for the step from 0 to 1.
        _ = write(counter.number, &one, MemoryLayout.size(ofValue: one))
    }
}

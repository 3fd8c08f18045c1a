// SPDX-License-Identifier: MIT

import CLinux
import Glibc
import Synchronization

/// Says once, to a thread that may be waiting in `poll`, that it is to stop. Thread-safe.
package final class StopFlag: Sendable {
    /// An event counter (`eventfd`) that becomes readable with ``raise()``, and stays so.
    private let counter: Descriptor
    private let hasStopped = Atomic<Bool>(false)

    package init() throws(SystemError) {
        counter = Descriptor(owning: try systemCall { ac_open_event_counter() })
    }

    /// To wait on; open as long as this object.
    package var descriptor: CInt { counter.number }

    package var isRaised: Bool { hasStopped.load(ordering: .relaxed) }

    /// Idempotent.
    package func raise() {
        guard !hasStopped.exchange(true, ordering: .relaxed) else { return }
        var one: UInt64 = 1
        // From 0 to 1 there is always room.
        _ = write(counter.number, &one, MemoryLayout.size(ofValue: one))
    }
}

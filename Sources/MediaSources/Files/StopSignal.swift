// SPDX-License-Identifier: MIT

import CLinux
import Glibc
import RadioCore
import Synchronization

/// Says once, to a thread that may be waiting in `poll`, that it is to stop. Thread-safe.
final class StopSignal: Sendable {
    /// An event counter that becomes readable with ``raise()``, and stays so; open as long as this object.
    let descriptor: CInt
    private let hasStopped = Atomic<Bool>(false)

    init() throws(Failure) {
        descriptor = ac_open_event_counter(0)
        guard descriptor >= 0 else {
            throw Failure(
                .internal, "no descriptor is left", remedy: "raise the limit of open files (ulimit -n)")
        }
    }

    deinit { close(descriptor) }

    var isRaised: Bool { hasStopped.load(ordering: .relaxed) }

    /// Idempotent.
    func raise() {
        guard !hasStopped.exchange(true, ordering: .relaxed) else { return }
        var one: UInt64 = 1
        // From 0 to 1 there is always room.
        _ = write(descriptor, &one, MemoryLayout.size(ofValue: one))
    }
}

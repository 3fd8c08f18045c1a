// SPDX-License-Identifier: MIT

import Glibc
import RadioCore
import Synchronization

/// Says once, to a thread that may be waiting in `poll`, that it is to stop. Thread-safe.
final class StopSignal: Sendable {
    /// Becomes readable (its end) with ``raise()``; open as long as this object.
    let descriptor: CInt
    private let other: CInt
    private let hasStopped = Atomic<Bool>(false)

    /// `pipe`: closing one end is news at the other.
    init() throws(Failure) {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw Failure(
                .internal, "no descriptor is left", remedy: "raise the limit of open files (ulimit -n)")
        }
        (descriptor, other) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }

    deinit {
        raise()
        close(descriptor)
    }

    var isRaised: Bool { hasStopped.load(ordering: .relaxed) }

    /// Idempotent.
    func raise() {
        if !hasStopped.exchange(true, ordering: .relaxed) { close(other) }
    }
}

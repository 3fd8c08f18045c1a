// SPDX-License-Identifier: MIT

import Glibc
import TestTools

/// A gate that opens once. Threads can wait for the gate alone, or for the gate and for other descriptors at the same
/// time.
package final class Gate: Sendable {
    /// Readable for `poll` once the gate is open: the read end of a pipe whose write end is closed.
    let descriptor: CInt
    private let writeEnd: Watched<CInt?>

    package init() {
        var ends: [CInt] = [-1, -1]
        // No test can do its work without descriptors, so the process ends.
        precondition(pipe(&ends) == 0, "no pipe: errno \(errno)")
        for end in ends { closeOnExec(end) }
        descriptor = ends[0]
        writeEnd = Watched(ends[1])
    }

    deinit {
        open()
        close(descriptor)
    }

    /// Opens the gate for all present and future waiters.
    package func open() {
        writeEnd.change { end in
            if let end { close(end) }
            end = nil
        }
    }

    /// Waits until the gate is open; false on timeout. Blocks the calling thread.
    package func wait(within limit: Duration) -> Bool {
        writeEnd.wait(within: limit) { $0 == nil ? true : nil } ?? false
    }

    /// Waits until the gate is open, without blocking the caller's thread; false on timeout.
    package func hasOpened(within limit: Duration) async throws -> Bool {
        try await onThread { self.wait(within: limit) }
    }
}

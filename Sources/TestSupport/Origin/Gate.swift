// SPDX-License-Identifier: MIT

import Glibc

/// Something that opens once, and that threads can wait for together with descriptors.
package final class Gate: Sendable {
    /// Readable for `poll` once the gate is open: the read end of a pipe whose write end is closed.
    let descriptor: CInt
    private let writeEnd: Watched<CInt?>

    package init() {
        var ends: [CInt] = [-1, -1]
        // A test without descriptors can show nothing: the process is as good as over.
        precondition(pipe(&ends) == 0, "no pipe: errno \(errno)")
        for end in ends { closeOnExec(end) }
        descriptor = ends[0]
        writeEnd = Watched(ends[1])
    }

    deinit {
        open()
        close(descriptor)
    }

    /// Lets everybody through who waits or will wait.
    package func open() {
        writeEnd.change { end in
            if let end { close(end) }
            end = nil
        }
    }

    /// Waits until the gate is open, and says whether it opened in time. Blocks the calling thread.
    package func wait(within limit: Duration) -> Bool {
        writeEnd.wait(within: limit) { $0 == nil ? true : nil } ?? false
    }

    /// The same without holding the caller's thread.
    package func hasOpened(within limit: Duration) async throws -> Bool {
        try await onThread { self.wait(within: limit) }
    }
}

// SPDX-License-Identifier: MIT

import Glibc

/// Descriptors 0 to 2, which a careless starter may have closed.
enum StandardDescriptors {
    /// The descriptors that were closed when the process began; they are open on /dev/null now.
    static let closedAtStart: [CInt] = {
        let closed = (STDIN_FILENO...STDERR_FILENO).filter { fcntl($0, F_GETFD) < 0 }
        // The lowest free number is the one that is missing.
        for _ in closed { _ = open("/dev/null", O_RDWR) }
        return closed
    }()

    /// Opens the closed ones on /dev/null: otherwise the next file or socket would become "standard error", and log
    /// lines would end up in a recording. Before anything else is opened.
    static func ensureOpen() { _ = closedAtStart }
}

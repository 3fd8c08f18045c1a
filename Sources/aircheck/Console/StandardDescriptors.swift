// SPDX-License-Identifier: MIT

import Glibc

/// Keeps descriptors 0 to 2 open, which the parent process may have closed.
enum StandardDescriptors {
    /// The descriptors that were closed at the start; they now refer to /dev/null.
    static let closedAtStart: [CInt] = {
        let closed = (STDIN_FILENO...STDERR_FILENO).filter { fcntl($0, F_GETFD) < 0 }
        // `open` takes the lowest free number, which is the number of a closed descriptor.
        for _ in closed { _ = open("/dev/null", O_RDWR) }
        return closed
    }()

    /// Whether the descriptor is a terminal.
    static func isTerminal(_ descriptor: CInt) -> Bool { isatty(descriptor) == 1 }

    /// Opens closed standard descriptors on /dev/null. Otherwise the next file or socket would become "standard error",
    /// and log lines would end up in a recording. Must be called before anything else is opened.
    static func ensureOpen() { _ = closedAtStart }
}

// SPDX-License-Identifier: MIT

import Glibc

/// Descriptors 0 to 2, which a careless starter may have closed.
enum StandardDescriptors {
    /// Opens those that are closed on /dev/null: otherwise the next file or socket would become "standard error", and
    /// log lines would end up in a recording. Before anything else is opened.
    static func ensureOpen() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            // The lowest free number is the one that is missing.
            _ = open("/dev/null", O_RDWR)
        }
    }
}

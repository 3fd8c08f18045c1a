// SPDX-License-Identifier: MIT

import Glibc
import Platform

/// Standard error, for a service's log. If it is closed, full or stuck, it does not delay the program: a line that is
/// not accepted within 100 ms is dropped.
package enum StandardError {
    /// Whether journald reads it: `JOURNAL_STREAM` names the device and inode of its socket (systemd.exec(5)).
    package static let isJournal: Bool = {
        let parts = getenv("JOURNAL_STREAM").map { String(cString: $0) }?.split(separator: ":") ?? []
        guard parts.count == 2, let device = UInt64(parts[0]), let inode = UInt64(parts[1]) else { return false }
        var status = stat()
        guard fstat(STDERR_FILENO, &status) == 0 else { return false }
        return UInt64(status.st_dev) == device && UInt64(status.st_ino) == inode
    }()

    private static let isStuck = Monitor(false)

    package static func put(_ text: String) {
        var descriptor = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
        // Waits only once for a stuck reader, not for each line.
        let isReady = isStuck.withLock { isStuck in
            isStuck = poll(&descriptor, 1, isStuck ? 0 : 100) != 1
            return !isStuck
        }
        guard isReady else { return }
        // A line has at most PIPE_BUF bytes, because a pipe accepts up to PIPE_BUF bytes completely or not at all.
        let line = text.utf8.count <= PIPE_BUF ? Array(text.utf8) : text.utf8.prefix(Int(PIPE_BUF) - 1) + [0x0A]
        line.withUnsafeBytes { _ = Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}

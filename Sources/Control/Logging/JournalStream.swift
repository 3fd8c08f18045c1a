// SPDX-License-Identifier: MIT

import Glibc

/// Whether journald reads standard error: `JOURNAL_STREAM` names the device and inode of its socket (systemd.exec(5)).
package enum JournalStream {
    /// Whether journald reads standard error. `stream`: the value of the environment variable; nil if it is not set.
    package static func isStandardError(_ stream: String?) -> Bool {
        guard let parts = stream?.split(separator: ":"), parts.count == 2, let device = UInt64(parts[0]),
            let inode = UInt64(parts[1])
        else { return false }
        var status = stat()
        guard fstat(STDERR_FILENO, &status) == 0 else { return false }
        return UInt64(status.st_dev) == device && UInt64(status.st_ino) == inode
    }
}

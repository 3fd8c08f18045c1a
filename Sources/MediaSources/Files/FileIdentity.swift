// SPDX-License-Identifier: MIT

import Glibc
import RadioFormats

/// Identifies the file at a path, and the state of that file. Two identities of one path are equal until the file is
/// replaced or written to.
struct FileIdentity: Hashable {
    private var device: UInt64
    private var number: UInt64
    private var size: Int64
    private var seconds: Int
    private var nanoseconds: Int

    /// Calls `stat`; nil if that fails.
    init?(path: String) {
        var status = Glibc.stat()
        guard stat(path.pathBytes, &status) == 0 else { return nil }
        device = UInt64(status.st_dev)
        number = UInt64(status.st_ino)
        size = Int64(status.st_size)
        seconds = status.st_mtim.tv_sec
        nanoseconds = status.st_mtim.tv_nsec
    }
}

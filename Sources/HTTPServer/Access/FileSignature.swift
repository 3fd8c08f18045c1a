// SPDX-License-Identifier: MIT

import Glibc
import Instants
import RadioFormats

/// Tells whether a file has changed, without reading it (`stat(2)`).
struct FileSignature: Hashable, Sendable {
    private let device: UInt
    private let inode: UInt
    private let size: Int
    private let modified: WallInstant
    private let changed: WallInstant

    /// Returns nil if there is no such file. May block on a disk.
    init?(ofFile path: String) {
        var status = stat()
        guard stat(path.pathBytes, &status) == 0 else { return nil }
        (device, inode, size) = (UInt(status.st_dev), UInt(status.st_ino), Int(status.st_size))
        (modified, changed) = (Self.instant(status.st_mtim), Self.instant(status.st_ctim))
    }

    /// Whether the file has not changed for a second, so that nobody is likely to be still writing it. The file's time
    /// of modification does not show this: a copied file may have the time of its original, or a time in the future.
    func isSettled(at now: WallInstant) -> Bool {
        let age = now - changed
        // A change in the future means that the clock was set back.
        return age >= .seconds(1) || age <= .seconds(-1)
    }

    private static func instant(_ time: timespec) -> WallInstant {
        WallInstant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}

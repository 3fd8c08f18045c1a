// SPDX-License-Identifier: MIT

import Glibc
import RadioFormats

/// The space of a disk, in bytes (`statvfs(3)`).
package struct DiskSpace: Hashable, Sendable {
    /// How many bytes this user may still write.
    package var free: Int64
    package var size: Int64

    package init(free: Int64, size: Int64) {
        (self.free, self.size) = (free, size)
    }

    init(_ status: statvfs) {
        let bytes = { (blocks: UInt64) in
            let (bytes, overflow) = blocks.multipliedReportingOverflow(by: UInt64(status.f_frsize))
            return overflow ? Int64.max : Int64(clamping: bytes)
        }
        self.init(free: bytes(UInt64(status.f_bavail)), size: bytes(UInt64(status.f_blocks)))
    }

    /// The space of the disk on which a folder lies, or on which it would be created; nil if unknown. The call blocks.
    /// A relative path must exist.
    package init?(ofDiskAt path: String) {
        var path = path
        while true {
            var status = statvfs()
            if statvfs(path.pathBytes, &status) == 0 {
                self.init(status)
                return
            }
            guard errno == ENOENT, let slash = path.lastIndex(of: "/"), path != "/" else { return nil }
            path = slash == path.startIndex ? "/" : String(path[..<slash])
        }
    }
}

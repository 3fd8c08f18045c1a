// SPDX-License-Identifier: MIT

import Glibc

/// Measures disks.
package enum DiskSize {
    /// The size in bytes of the disk on which a folder lies, or on which it would be created; nil if unknown. Blocks.
    /// A relative path must exist.
    package static func bytes(ofDiskAt path: String) -> Int64? {
        var path = path
        while true {
            var status = statvfs()
            if statvfs(path, &status) == 0 {
                let bytes = UInt64(status.f_blocks).multipliedReportingOverflow(by: UInt64(status.f_frsize))
                return bytes.overflow ? nil : Int64(clamping: bytes.partialValue)
            }
            guard errno == ENOENT, let slash = path.lastIndex(of: "/"), path != "/" else { return nil }
            path = slash == path.startIndex ? "/" : String(path[..<slash])
        }
    }
}

// SPDX-License-Identifier: MIT

import CLinux
import Glibc

extension Descriptor {
    /// A file in memory that holds these bytes, positioned at its beginning. It can be a program's standard input
    /// without needing a writer, so nothing waits for the program to read. The memory is freed with the last descriptor
    /// of the file.
    package static func memory(_ bytes: [UInt8]) throws(SystemError) -> Descriptor {
        let file = Descriptor(owning: try systemCall { ac_memfd("aircheck") })
        var written = 0
        while written < bytes.count {
            let rest = bytes[written...]
            // `pwrite` leaves the file position at the first byte, where reading begins.
            written += try systemCall { () -> Int in
                rest.withUnsafeBytes { pwrite(file.number, $0.baseAddress, $0.count, off_t(written)) }
            }
        }
        return file
    }
}

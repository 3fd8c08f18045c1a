// SPDX-License-Identifier: MIT

import CLinux
import Glibc

/// A descriptor of one's own: closed with the object, and not before.
package final class Descriptor: Sendable {
    package let number: CInt

    /// Takes a descriptor over that is open.
    package init(owning number: CInt) {
        self.number = number
    }

    deinit { close(number) }

    /// The two ends of a pipe, close-on-exec.
    package static func pipe() throws(SystemError) -> (reading: Descriptor, writing: Descriptor) {
        var (reading, writing): (CInt, CInt) = (-1, -1)
        _ = try systemCall { ac_open_pipe(&reading, &writing) }
        return (Descriptor(owning: reading), Descriptor(owning: writing))
    }
}

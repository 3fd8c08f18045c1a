// SPDX-License-Identifier: MIT

import CLinux
import Glibc

/// An owned descriptor, closed with the object.
package final class Descriptor: Sendable {
    package let number: CInt

    /// Takes ownership of an open descriptor.
    package init(owning number: CInt) {
        self.number = number
    }

    deinit { close(number) }

    /// Creates a pipe; both ends are close-on-exec.
    package static func pipe() throws(SystemError) -> (reading: Descriptor, writing: Descriptor) {
        var (reading, writing): (CInt, CInt) = (-1, -1)
        _ = try systemCall { ac_open_pipe(&reading, &writing) }
        return (Descriptor(owning: reading), Descriptor(owning: writing))
    }
}

// SPDX-License-Identifier: MIT

import Glibc

/// A failed system call, as its error number.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The `errno` of the call.
    package var number: CInt

    package init(number: CInt) {
        self.number = number
    }

    /// The C library's text: "No such file or directory".
    package var description: String { String(cString: strerror(number)) }
}

/// Repeats a call while it is interrupted (`EINTR`). Throws its error number if it returns −1.
package func systemCall<Result: FixedWidthInteger>(_ call: () -> Result) throws(SystemError) -> Result {
    while true {
        let result = call()
        guard result == -1 else { return result }
        let number = errno
        guard number == EINTR else { throw SystemError(number: number) }
    }
}

/// Writes all bytes to a descriptor, however long that takes.
package func writeAll(_ bytes: [UInt8], to descriptor: CInt) throws(SystemError) {
    var rest = bytes[...]
    while !rest.isEmpty {
        let count = try systemCall { rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) } }
        guard count > 0 else { throw SystemError(number: EIO) }
        rest = rest.dropFirst(count)
    }
}

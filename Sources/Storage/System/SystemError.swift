// SPDX-License-Identifier: MIT

/// A failed system call, as its error number. ``StorageError`` says the same to a person.
package struct SystemError: Error, Hashable, Sendable {
    /// The `errno` that the call left.
    package var number: CInt

    package init(number: CInt) {
        self.number = number
    }
}

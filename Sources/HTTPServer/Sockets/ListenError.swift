// SPDX-License-Identifier: MIT

import Glibc
import Platform

/// Why an address cannot be listened on.
package struct ListenError: Error, Hashable, Sendable, CustomStringConvertible {
    package var address: SocketAddress
    /// The errno of the call that failed.
    package var number: CInt

    package init(_ address: SocketAddress, errno number: CInt) {
        self.address = address
        self.number = number
    }

    package var message: String {
        "cannot listen on \(address): \(SystemError(number: number))"
    }

    /// What to do.
    package var remedy: String {
        switch number {
        case EADDRINUSE: "another program has this port; choose another port, or end that program"
        case EACCES: "ports below 1024 need a privilege; choose a port from 1024 on"
        case EADDRNOTAVAIL: "this machine has no such address; choose one that it has, or 0.0.0.0 for all of them"
        case EAFNOSUPPORT: "this machine does not speak that kind of address"
        case EMFILE, ENFILE: "too many files are open; raise the limit of open descriptors"
        default: "check the address"
        }
    }

    package var description: String { "\(message): \(remedy)" }
}

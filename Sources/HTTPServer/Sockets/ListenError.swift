// SPDX-License-Identifier: MIT

import Glibc
import Platform

/// Why listening on an address failed.
package struct ListenError: Error, Hashable, Sendable, CustomStringConvertible {
    package var address: SocketAddress
    /// The errno of the failed call.
    package var number: CInt

    package init(_ address: SocketAddress, errno number: CInt) {
        self.address = address
        self.number = number
    }

    package var message: String {
        "cannot listen on \(address): \(SystemError(number: number))"
    }

    /// What the user can do.
    package var remedy: String {
        switch (number, address.host) {
        case (EADDRINUSE, .unix): "another program listens there, or another file has that name; choose another path"
        case (EACCES, .unix): "no socket can be created in that folder; choose another path"
        case (ENOENT, .unix), (ENOTDIR, .unix): "there is no such folder; create it, or choose another path"
        case (_, .unix): "choose another path"
        case (EADDRINUSE, _): "another program uses this port; choose another port, or end that program"
        case (EACCES, _): "ports below 1024 need special rights; choose port 1024 or higher"
        case (EADDRNOTAVAIL, _): "this machine has no such address; choose one of its own, or 0.0.0.0 for all of them"
        case (EAFNOSUPPORT, _): "this machine does not support that kind of address"
        case (EMFILE, _), (ENFILE, _): "too many files are open; raise the limit of open files (ulimit -n)"
        default: "check the address"
        }
    }

    package var description: String { "\(message): \(remedy)" }
}

// SPDX-License-Identifier: MIT

import Glibc
package import HTTPServer
package import RadioCore

extension Failure {
    /// The failure to listen on an address.
    ///
    /// It counts as wrong usage if it persists until a person changes something. Some failures resolve by themselves,
    /// so that a service manager should try again: a port is in use, the network has not assigned the address yet, or
    /// descriptors are exhausted.
    package init(_ error: ListenError) {
        let kind: Class =
            switch error.number {
            case EACCES, EPERM, EAFNOSUPPORT, EPROTONOSUPPORT, EINVAL: .usage
            case ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG, EROFS: .usage
            case EADDRINUSE, EADDRNOTAVAIL: .listening
            default: .internal
            }
        self.init(kind, error.message, remedy: error.remedy)
    }
}

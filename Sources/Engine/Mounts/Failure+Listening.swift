// SPDX-License-Identifier: MIT

import Glibc
import HTTPServer
import RadioCore

extension Failure {
    /// An address cannot be listened on.
    ///
    /// Wrong usage is what stays wrong until a person changes it. A port that is taken, an address that the network has
    /// not brought yet and descriptors that have run out pass by themselves: a service manager is to try again.
    init(_ error: ListenError) {
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

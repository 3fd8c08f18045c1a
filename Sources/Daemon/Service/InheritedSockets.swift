// SPDX-License-Identifier: MIT

import Glibc

/// Listening sockets that the service manager has opened for this process (sd_listen_fds(3)).
package enum InheritedSockets {
    /// The first descriptor that the service manager passes.
    private static let first: CInt = 3
    private static let most = 64

    /// The listening stream sockets among the passed descriptors, set to be closed on exec. Other descriptors are left
    /// alone.
    package static func take(_ environment: [String: String], pid: Int32) -> [CInt] {
        guard environment["LISTEN_PID"] == "\(pid)", let count = environment["LISTEN_FDS"].flatMap({ Int($0) }),
            (1...most).contains(count)
        else { return [] }
        return (0..<CInt(count)).map { first + $0 }.filter { descriptor in
            let flags = fcntl(descriptor, F_GETFD)
            guard flags >= 0 else { return false }
            _ = fcntl(descriptor, F_SETFD, flags | FD_CLOEXEC)
            guard option(descriptor, SO_TYPE) == CInt(SOCK_STREAM.rawValue), option(descriptor, SO_ACCEPTCONN) == 1
            else { return false }
            _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
            return true
        }
    }

    private static func option(_ descriptor: CInt, _ name: CInt) -> CInt? {
        var value: CInt = 0
        var length = socklen_t(MemoryLayout<CInt>.size)
        return getsockopt(descriptor, SOL_SOCKET, name, &value, &length) == 0 ? value : nil
    }
}

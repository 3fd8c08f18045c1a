// SPDX-License-Identifier: MIT

package import Glibc

/// Two connected sockets of this machine (`socketpair(2)`), one for each side of a test. The owner must close them.
package struct SocketPair: Sendable {
    package let near: CInt
    package let far: CInt

    /// Creates a pair of sockets that are closed on exec, by default blocking stream sockets.
    ///
    /// - Throws: ``SetupError`` if the kernel does not provide a pair.
    package init(_ type: __socket_type = SOCK_STREAM, isBlocking: Bool = true) throws {
        var ends: [CInt] = [-1, -1]
        let flags = SOCK_CLOEXEC.rawValue | (isBlocking ? 0 : SOCK_NONBLOCK.rawValue)
        guard socketpair(AF_UNIX, CInt(type.rawValue | flags), 0, &ends) == 0 else {
            throw SetupError("no pair of sockets: errno \(errno)")
        }
        (near, far) = (ends[0], ends[1])
    }

    /// Closes both sockets.
    package func close() {
        Glibc.close(near)
        Glibc.close(far)
    }
}

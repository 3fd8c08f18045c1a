// SPDX-License-Identifier: MIT

import CLinux
import Glibc
import Platform

/// The server's socket calls. Calls that only tune a socket ignore errors, because the socket works untuned.
enum SystemSocket {
    /// `accept4(2)`: nonblocking, close-on-exec. Retries interrupted calls.
    static func accept(_ listener: CInt) -> Result<(CInt, SocketAddress), SystemError> {
        while true {
            var storage = sockaddr_storage()
            var length = UInt32(MemoryLayout<sockaddr_storage>.size)
            let descriptor = ac_accept(listener, &storage, &length)
            guard descriptor >= 0 else {
                if errno == EINTR { continue }
                return .failure(SystemError(number: errno))
            }
            guard let peer = SocketAddress(storage) else {
                Glibc.close(descriptor)
                continue
            }
            return .success((descriptor, peer.unmapped))
        }
    }

    /// `getsockname(2)`.
    static func localAddress(_ descriptor: CInt) -> SocketAddress? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        return result == 0 ? SocketAddress(storage)?.unmapped : nil
    }

    /// The user ID of the process at the other end of a Unix socket, as of when that process connected (`SO_PEERCRED`);
    /// nil if unknown.
    static func peerUser(_ descriptor: CInt) -> UInt32? {
        var user: UInt32 = 0
        return ac_peer_user(descriptor, &user) == 0 ? user : nil
    }

    /// `setsockopt(2)` with an integer.
    static func setOption(_ descriptor: CInt, _ level: CInt, _ name: CInt, _ value: CInt) {
        var value = value
        setsockopt(descriptor, level, name, &value, socklen_t(MemoryLayout<CInt>.size))
    }

    /// Sends as much of the response as possible without blocking, and closes.
    static func refuse(_ descriptor: CInt, _ response: HTTPResponse) {
        let answer = response.outgoing(minorVersion: 0, isHead: false)
        _ = answer.lead.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
        // Read the part of the request that has arrived: closing with unread input would reset the connection and lose
        // the answer.
        withUnsafeTemporaryAllocation(byteCount: mostDiscarded, alignment: 1) {
            _ = recv(descriptor, $0.baseAddress, $0.count, CInt(MSG_DONTWAIT) | CInt(MSG_TRUNC))
        }
        Glibc.close(descriptor)
    }

    private static let mostDiscarded = 64 * 1024
}

// SPDX-License-Identifier: MIT

import Glibc

/// A socket that listens but is not accepted from yet.
struct OpenedSocket {
    /// The requested address.
    let wanted: SocketAddress
    let descriptor: CInt
    /// The file, if it is a Unix socket that this process has opened.
    var file: UnixSocketFile?
    /// Whether another process has opened the socket, which does not open it again.
    var isInherited = false
}

/// Where the listening sockets of a process come from: another process, such as the service manager, has passed them,
/// or they are opened by their address. Several services may share it.
package final class ListeningSockets {
    /// The passed sockets that no service has taken.
    private var inherited: [CInt] = []

    /// The maximum number of pending connections; the kernel caps it at `net.core.somaxconn`.
    private static let backlog: CInt = 4096

    package init() {}

    /// Whether there are passed sockets that no service has taken.
    package var hasInherited: Bool { !inherited.isEmpty }

    /// Takes ownership of passed sockets, which listen already and do not block.
    package func inherit(_ descriptors: [CInt]) { inherited += descriptors }

    /// The passed sockets, from now on owned by the caller.
    func takeInherited() -> [OpenedSocket] {
        defer { inherited = [] }
        return inherited.map { descriptor in
            let address = SystemSocket.localAddress(descriptor) ?? SocketAddress(host: .v4(0), port: 0)
            return OpenedSocket(wanted: address, descriptor: descriptor, isInherited: true)
        }
    }

    /// Opens a socket that listens on an address.
    func open(_ address: SocketAddress, isOwners: Bool = false) throws(ListenError) -> OpenedSocket {
        do throws(ListenError) {
            return try Self.open(address, wanted: address, isOwners)
        } catch {
            // Without IPv6 in the kernel, or with IPv6 switched off, the socket is for IPv4 only.
            guard address.host == .any, [EAFNOSUPPORT, EADDRNOTAVAIL].contains(error.number) else { throw error }
            return try Self.open(SocketAddress(host: .v4(0), port: address.port), wanted: address, false)
        }
    }

    private static func open(
        _ address: SocketAddress, wanted: SocketAddress, _ isOwners: Bool
    ) throws(ListenError) -> OpenedSocket {
        let kind = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(address.family, kind, 0)
        guard descriptor >= 0 else { throw ListenError(address, errno: errno) }
        do throws(ListenError) {
            let file = try bind(descriptor, address, isOwners)
            guard listen(descriptor, backlog) == 0 else { throw ListenError(address, errno: errno) }
            return OpenedSocket(wanted: wanted, descriptor: descriptor, file: file)
        } catch {
            Glibc.close(descriptor)
            throw error
        }
    }

    private static func bind(
        _ descriptor: CInt, _ address: SocketAddress, _ isOwners: Bool
    ) throws(ListenError) -> UnixSocketFile? {
        if address.host.isUnix { return try UnixSocketFile(binding: descriptor, to: address, isOwners: isOwners) }
        // A restart must not wait until connections of the last run have timed out.
        SystemSocket.setOption(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
        // Unless it is for both families, an IPv6 socket accepts only IPv6, so that IPv4 can have its own socket.
        if address.family == AF_INET6 {
            SystemSocket.setOption(descriptor, CInt(IPPROTO_IPV6), IPV6_V6ONLY, address.host == .any ? 0 : 1)
        }
        // We gather writes ourselves, so the kernel must not delay them. Accepted sockets inherit this.
        SystemSocket.setOption(descriptor, CInt(IPPROTO_TCP), TCP_NODELAY, 1)
        guard address.withSocketAddress({ Glibc.bind(descriptor, $0, $1) }) == 0 else {
            throw ListenError(address, errno: errno)
        }
        return nil
    }
}

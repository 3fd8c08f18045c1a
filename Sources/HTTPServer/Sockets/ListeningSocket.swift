// SPDX-License-Identifier: MIT

import EventLoop
import Glibc
import Instants
import Platform

/// A listening TCP or Unix socket that accepts connections in batches.
final class ListeningSocket {
    /// The requested address.
    let wanted: SocketAddress
    /// The address, with the port that the kernel chose for port 0.
    let address: SocketAddress
    /// Whether the service manager opened the socket and passed it to this process. The service manager does not open
    /// it again.
    let isInherited: Bool
    private let descriptor: CInt
    private let file: UnixSocketFile?
    private let reactor: any Reactor
    private let makeRoom: () -> Bool
    private let onAccept: (CInt, SocketAddress) -> Void
    private var watch: (any SocketWatch)?
    private lazy var resume = reactor.makeTimer { [weak self] in self?.watch?.interest = .read }
    private var shortage = DescriptorShortage()
    /// Connections with this descriptor number or a higher one are refused. The kernel assigns the lowest free number,
    /// so at this number only a few descriptors are left. Stations need them for reconnecting, and recordings for their
    /// next files.
    private let endOfDescriptors = DescriptorShortage.end(limit: DescriptorLimit.current)
    /// A spare descriptor to close, so that a connection can be accepted and refused when descriptors have run out.
    private var reserve = ListeningSocket.openReserve()

    /// The maximum number of pending connections; the kernel caps it at `net.core.somaxconn`.
    private static let backlog: CInt = 4096
    /// The maximum time for accepting per turn of the loop, because other work waits meanwhile.
    private static let slice = Duration.milliseconds(4)
    /// The maximum number of connections accepted per turn.
    private static let batch = 256

    /// A listening descriptor, and its file if it is a Unix socket of ours.
    typealias Opened = (descriptor: CInt, file: UnixSocketFile?)

    /// Begins to accept connections. `onAccept` takes ownership of the accepted descriptors (nonblocking,
    /// close-on-exec). When descriptors have run out, `makeRoom` may close one; it returns whether it did.
    init(
        _ wanted: SocketAddress, _ socket: Opened, isInherited: Bool, reactor: any Reactor,
        makeRoom: @escaping () -> Bool, onAccept: @escaping (CInt, SocketAddress) -> Void
    ) {
        (descriptor, file) = socket
        self.isInherited = isInherited
        self.wanted = wanted
        let bound = file == nil ? SystemSocket.localAddress(descriptor) : nil
        address = SocketAddress(
            host: wanted.host == .any ? .any : bound?.host ?? wanted.host, port: bound?.port ?? wanted.port)
        self.reactor = reactor
        self.makeRoom = makeRoom
        self.onAccept = onAccept
        watch = reactor.watch(descriptor) { [weak self] _ in self?.acceptBatch() }
        watch?.interest = .read
    }

    deinit { assert(watch == nil, "a listening socket was dropped without close()") }

    func close() {
        guard let watch else { return }
        watch.cancel()
        self.watch = nil
        resume.cancel()
        file?.remove()
        Glibc.close(descriptor)
        if reserve >= 0 { Glibc.close(reserve) }
    }

    /// Opens a socket that listens on an address.
    static func open(_ address: SocketAddress, isOwners: Bool = false) throws(ListenError) -> Opened {
        if isOwners { return try openOne(address, isOwners: true) }
        guard address.host == .any else { return try openOne(address) }
        do throws(ListenError) {
            return try openOne(address)
        } catch {
            // Without IPv6 in the kernel, or with IPv6 switched off, the socket is for IPv4 only.
            guard [EAFNOSUPPORT, EADDRNOTAVAIL].contains(error.number) else { throw error }
            return try openOne(SocketAddress(host: .v4(0), port: address.port))
        }
    }

    private static func openOne(_ address: SocketAddress, isOwners: Bool = false) throws(ListenError) -> Opened {
        let kind = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(address.family, kind, 0)
        guard descriptor >= 0 else { throw ListenError(address, errno: errno) }
        do throws(ListenError) {
            let file = try bind(descriptor, address, isOwners)
            guard listen(descriptor, backlog) == 0 else { throw ListenError(address, errno: errno) }
            return (descriptor, file)
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

    private static func openReserve() -> CInt {
        Glibc.open("/dev/null", O_RDONLY | O_CLOEXEC)
    }

    private func acceptBatch() {
        let end = reactor.readClocks().now + Self.slice
        for _ in 0..<Self.batch {
            // A connection's handler may have closed the server. When the time is up, the pending connections will be
            // reported again in the next turn.
            guard watch != nil, reactor.readClocks().now <= end else { return }
            switch SystemSocket.accept(descriptor) {
            case .success((let connection, let peer)) where connection < endOfDescriptors || makeRoom():
                onAccept(connection, peer)
            case .success((let connection, _)):
                SystemSocket.refuse(connection, .full)
                guard shortage.mayRefuse(now: reactor.now) else { return pause() }
            case .failure(let error):
                switch error.number {
                case EAGAIN:
                    return
                case EMFILE, ENFILE:
                    guard makeRoom() || refuseOne() else { return pause() }
                case ENOBUFS, ENOMEM:
                    return pause()
                default:
                    // This connection died while pending (accept(2) lists the errors); the next one may be fine.
                    continue
                }
            }
        }
    }

    /// Refuses a connection by means of the reserved descriptor, because descriptors have run out. Returns false if no
    /// connection was refused.
    private func refuseOne() -> Bool {
        guard reserve >= 0, shortage.mayRefuse(now: reactor.now) else { return false }
        Glibc.close(reserve)
        reserve = -1
        defer { reserve = Self.openReserve() }
        guard case .success((let connection, _)) = SystemSocket.accept(descriptor) else { return false }
        SystemSocket.refuse(connection, .full)
        return true
    }

    /// Stops accepting for a while. Without such a pause, a level-triggered listener would spin for as long as no
    /// descriptor is free.
    private func pause() {
        watch?.interest = []
        resume.arm(at: reactor.now + DescriptorShortage.pause)
        if reserve < 0 { reserve = Self.openReserve() }
    }
}

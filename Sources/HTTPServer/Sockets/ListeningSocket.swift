// SPDX-License-Identifier: MIT

import EventLoop
import Glibc
import Instants
import Platform

/// A listening TCP or Unix socket that accepts connections in batches.
final class ListeningSocket {
    let socket: OpenedSocket
    /// The address, with the port that the kernel chose for port 0.
    let address: SocketAddress
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

    /// The maximum time for accepting per turn of the loop, because other work waits meanwhile.
    private static let slice = Duration.milliseconds(4)
    /// The maximum number of connections accepted per turn.
    private static let batch = 256

    /// Begins to accept connections. `onAccept` takes ownership of the accepted descriptors (nonblocking,
    /// close-on-exec). When descriptors have run out, `makeRoom` may close one; it returns whether it did.
    init(
        _ socket: OpenedSocket, reactor: any Reactor, makeRoom: @escaping () -> Bool,
        onAccept: @escaping (CInt, SocketAddress) -> Void
    ) {
        self.socket = socket
        let wanted = socket.wanted
        let bound = socket.file == nil ? SystemSocket.localAddress(socket.descriptor) : nil
        address = SocketAddress(
            host: wanted.host == .any ? .any : bound?.host ?? wanted.host, port: bound?.port ?? wanted.port)
        self.reactor = reactor
        self.makeRoom = makeRoom
        self.onAccept = onAccept
        watch = reactor.watch(socket.descriptor) { [weak self] _ in self?.acceptBatch() }
        watch?.interest = .read
    }

    deinit { assert(watch == nil, "a listening socket was dropped without close()") }

    func close() {
        guard let watch else { return }
        watch.cancel()
        self.watch = nil
        resume.cancel()
        socket.file?.remove()
        Glibc.close(socket.descriptor)
        if reserve >= 0 { Glibc.close(reserve) }
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
            switch SystemSocket.accept(socket.descriptor) {
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
        guard case .success((let connection, _)) = SystemSocket.accept(socket.descriptor) else { return false }
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

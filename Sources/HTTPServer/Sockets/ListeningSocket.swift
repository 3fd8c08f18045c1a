// SPDX-License-Identifier: MIT

import EventLoop
import Glibc
import Instants
import Platform

/// A bound, listening TCP or Unix socket that hands out connections in batches. Confined to the loop's thread.
final class ListeningSocket {
    /// The address with the port that the kernel chose, where 0 was asked for.
    let address: SocketAddress
    private let descriptor: CInt
    private let file: UnixSocketFile?
    private let reactor: any Reactor
    private let makeRoom: () -> Bool
    private let onAccept: (CInt, SocketAddress) -> Void
    private var watch: (any SocketWatch)?
    private lazy var resume = reactor.makeTimer { [weak self] in self?.watch?.interest = .read }
    private var shortage = DescriptorShortage()
    /// Connections whose descriptor has this number or a higher one are refused. The kernel gives the lowest free number,
    /// so there are few left then, and a station needs them to reconnect, a recording for its next file.
    private let endOfDescriptors = DescriptorShortage.end(limit: DescriptorLimit.current)
    /// Kept open so that there is one to close, and accept with, when descriptors have run out.
    private var reserve = ListeningSocket.openReserve()

    /// As many waiting connections as the kernel lets us have; it cuts this to `net.core.somaxconn`.
    private static let backlog: CInt = 4096
    /// How long one turn of the loop may go on accepting: others wait meanwhile.
    private static let slice = Duration.milliseconds(4)
    /// Connections taken in one turn, however fast.
    private static let batch = 256

    /// Listens; accepted descriptors (nonblocking, close-on-exec) belong to `onAccept`. Where descriptors have run out,
    /// `makeRoom` may close one.
    init(
        _ wanted: SocketAddress, reactor: any Reactor, makeRoom: @escaping () -> Bool,
        onAccept: @escaping (CInt, SocketAddress) -> Void
    ) throws(ListenError) {
        (descriptor, file) = try Self.open(wanted)
        address = file == nil ? SystemSocket.localAddress(descriptor) ?? wanted : wanted
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

    private static func open(_ address: SocketAddress) throws(ListenError) -> (CInt, UnixSocketFile?) {
        let kind = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(address.family, kind, 0)
        guard descriptor >= 0 else { throw ListenError(address, errno: errno) }
        do throws(ListenError) {
            let file = try bind(descriptor, address)
            guard listen(descriptor, backlog) == 0 else { throw ListenError(address, errno: errno) }
            return (descriptor, file)
        } catch {
            Glibc.close(descriptor)
            throw error
        }
    }

    private static func bind(_ descriptor: CInt, _ address: SocketAddress) throws(ListenError) -> UnixSocketFile? {
        if address.host.isUnix { return try UnixSocketFile(binding: descriptor, to: address) }
        // A restart must not wait for connections of the last run to time out.
        SystemSocket.setOption(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
        // An IPv6 socket takes IPv6 alone, so that both kinds can be listened on and no mapped address appears.
        if address.family == AF_INET6 {
            SystemSocket.setOption(descriptor, CInt(IPPROTO_IPV6), IPV6_V6ONLY, 1)
        }
        // Writes are gathered by us; the kernel must not wait for more. What is accepted inherits it.
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
            // The handler of a connection may have closed the server. What still waits is reported again.
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
                    // The connection died while it waited (accept(2) lists the network errors); the next may be well.
                    continue
                }
            }
        }
    }

    /// Out of descriptors: uses the reserved one to say so. False when that is no longer worth it.
    private func refuseOne() -> Bool {
        guard reserve >= 0, shortage.mayRefuse(now: reactor.now) else { return false }
        Glibc.close(reserve)
        reserve = -1
        defer { reserve = Self.openReserve() }
        guard case .success((let connection, _)) = SystemSocket.accept(descriptor) else { return false }
        SystemSocket.refuse(connection, .full)
        return true
    }

    /// Without this a level-triggered listener would spin for as long as no descriptor is free.
    private func pause() {
        watch?.interest = []
        resume.arm(at: reactor.now + DescriptorShortage.pause)
        if reserve < 0 { reserve = Self.openReserve() }
    }
}

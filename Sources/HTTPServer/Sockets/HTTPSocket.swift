// SPDX-License-Identifier: MIT

package import EventLoop
package import Glibc

/// Who acts on a socket's readiness: the server's own connection, then whoever took the socket over.
package protocol HTTPSocketDriver: AnyObject {
    /// The socket is ready for something that its ``HTTPSocket/interest`` names. Inside the call it may be closed.
    func socketIsReady(_ socket: HTTPSocket, for readiness: Readiness)
}

/// A client's connected socket, from accept to close. Confined to the loop's thread.
///
/// The server owns every socket and counts it until ``close()``. A handler that took one over
/// (``HTTPExchange/takeOver()``) drives it from then on: it sets the interest, hears of readiness, and closes.
package final class HTTPSocket {
    package enum Sent: Hashable {
        /// The number of bytes that were taken; fewer than offered when the socket became full.
        case wrote(Int)
        /// The socket is full: watch for `.write`.
        case full
        /// The client is gone, or the connection is broken.
        case broken
    }

    package enum Received: Hashable {
        case read(Int)
        case nothing
        /// The client has sent all that it will.
        case end
        case broken
    }

    package let peer: SocketAddress
    /// Who is served: the peer, or the client that a trusted proxy names.
    package internal(set) var client: SocketAddress.Host
    /// Hears of readiness. Held until ``close()``, so that a driver may be held by its socket alone.
    package var driver: (any HTTPSocketDriver)?
    package private(set) var isOpen = true
    /// Counted as a stream, and its client counted apart from the peer.
    var (isStream, hasCountedClient) = (false, false)
    let descriptor: CInt
    private var watch: (any SocketWatch)?
    private unowned let service: HTTPService

    init(_ descriptor: CInt, peer: SocketAddress, reactor: any Reactor, service: HTTPService) {
        self.descriptor = descriptor
        self.peer = peer
        client = peer.host
        self.service = service
        watch = reactor.watch(descriptor) { [unowned self] readiness in driver?.socketIsReady(self, for: readiness) }
    }

    deinit { assert(!isOpen, "a client's socket was dropped without close()") }

    /// What readiness is wanted; `[]` at first.
    package var interest: Readiness {
        get { watch?.interest ?? [] }
        set { if watch?.interest != newValue { watch?.interest = newValue } }
    }

    /// Sets the size of the kernel's send buffer, in bytes (`SO_SNDBUF`; the kernel doubles it for its own use).
    package func setSendBuffer(_ bytes: Int) {
        SystemSocket.setOption(descriptor, SOL_SOCKET, SO_SNDBUF, CInt(clamping: bytes))
    }

    /// Sends from several places at once, without waiting (`sendmsg`; unlike `writev` it raises no SIGPIPE).
    package func send(_ pieces: UnsafeMutableBufferPointer<iovec>) -> Sent {
        send(pieces, CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT))
    }

    /// Sends bytes; see ``send(_:)-(UnsafeMutableBufferPointer<iovec>)``. Where more follows at once, the kernel waits
    /// for it with a packet that is not full.
    package func send(_ bytes: UnsafeRawBufferPointer, isAll: Bool = true) -> Sent {
        var piece = iovec(iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count)
        let flags = CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT) | (isAll ? 0 : CInt(MSG_MORE))
        return withUnsafeMutablePointer(to: &piece) { send(UnsafeMutableBufferPointer(start: $0, count: 1), flags) }
    }

    private func send(_ pieces: UnsafeMutableBufferPointer<iovec>, _ flags: CInt) -> Sent {
        var message = msghdr()
        message.msg_iov = pieces.baseAddress
        message.msg_iovlen = pieces.count
        return transmit { sendmsg(descriptor, &message, flags) }
    }

    /// Sends a part of a file (`sendfile(2)`; a socket whose client has gone raises SIGPIPE, which the loop has the
    /// process ignore). Does not wait for the client, but may for the disk. No bytes are written where the file has
    /// none any more.
    func send(_ file: HTTPFile, _ part: Range<Int>) -> Sent {
        var offset = off_t(part.lowerBound)
        return transmit { sendfile(descriptor, file.descriptor, &offset, part.count) }
    }

    @inline(__always)
    private func transmit(_ call: () -> Int) -> Sent {
        guard isOpen else { return .broken }
        while true {
            let count = call()
            if count >= 0 { return .wrote(count) }
            switch errno {
            case EINTR: continue
            case EAGAIN, ENOBUFS: return .full
            default: return .broken
            }
        }
    }

    /// Bytes that were sent, and that the client's machine has not taken yet (`SIOCOUTQ`).
    var unsentCount: Int {
        var count: CInt = 0
        guard isOpen, ioctl(descriptor, UInt(TIOCOUTQ), &count) == 0 else { return 0 }
        return Int(count)
    }

    /// Reads what is there, without waiting (`recv`).
    package func receive(into buffer: UnsafeMutableRawBufferPointer) -> Received {
        receive(buffer.baseAddress, buffer.count, CInt(MSG_DONTWAIT))
    }

    /// Drops up to `limit` bytes of what is there, without waiting and without a buffer (`MSG_TRUNC` on TCP, tcp(7)).
    package func discard(upTo limit: Int = 64 * 1024) -> Received {
        // Unix sockets want a buffer.
        guard !peer.host.isUnix else {
            let buffer = service.readBuffer
            return receive(buffer.baseAddress, min(limit, buffer.count), CInt(MSG_DONTWAIT))
        }
        return receive(nil, limit, CInt(MSG_DONTWAIT) | CInt(MSG_TRUNC))
    }

    /// What there is to be read, without taking it.
    func lookAhead() -> Received {
        var byte: UInt8 = 0
        return receive(&byte, 1, CInt(MSG_DONTWAIT) | CInt(MSG_PEEK))
    }

    private func receive(_ buffer: UnsafeMutableRawPointer?, _ count: Int, _ flags: CInt) -> Received {
        guard isOpen else { return .broken }
        while true {
            let count = recv(descriptor, buffer, count, flags)
            if count > 0 { return .read(count) }
            if count == 0 { return .end }
            switch errno {
            case EINTR: continue
            case EAGAIN: return .nothing
            default: return .broken
            }
        }
    }

    /// Says that no more will be sent; what was sent still arrives (`shutdown`).
    package func finishSending() {
        guard isOpen else { return }
        shutdown(descriptor, CInt(SHUT_WR))
    }

    /// Closes the socket and gives its place in the server back. Idempotent.
    package func close() {
        guard isOpen else { return }
        isOpen = false
        watch?.cancel()
        watch = nil
        // A child process that is being started holds a copy until its exec, and the other side would wait for it.
        shutdown(descriptor, CInt(SHUT_WR))
        Glibc.close(descriptor)
        service.socketIsClosed(self)
        // Last: it may be what held the driver that is calling.
        driver = nil
    }
}

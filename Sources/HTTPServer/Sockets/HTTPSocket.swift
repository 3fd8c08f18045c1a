// SPDX-License-Identifier: MIT

package import EventLoop
package import Glibc
import Platform

/// Handles a socket's readiness: the server's own connection, then the handler that took the socket over.
package protocol HTTPSocketDriver: AnyObject {
    /// The socket is ready for something in its ``HTTPSocket/interest``. The driver may close it inside this call.
    func socketIsReady(_ socket: HTTPSocket, for readiness: Readiness)
}

/// A client's connected socket, from accept to close.
///
/// The server owns every socket and counts it until ``close()``. A handler that has taken it over
/// (``HTTPExchange/takeOver()``) drives it from then on: it sets the interest, handles readiness, and closes.
package final class HTTPSocket {
    package enum Sent: Hashable {
        /// The number of bytes accepted; fewer than offered if the socket became full.
        case wrote(Int)
        /// The socket is full: watch for `.write`.
        case full
        /// The client has gone, or the connection is broken.
        case broken
    }

    package enum Received: Hashable {
        case read(Int)
        case nothing
        /// The client has closed its side.
        case end
        case broken
    }

    package let peer: SocketAddress
    /// The client being served: the peer, or the client behind a trusted proxy.
    package internal(set) var client: ServedClient
    /// Handles readiness. Retained until ``close()``, so the socket's reference is enough to keep a driver alive.
    package var driver: (any HTTPSocketDriver)?
    package private(set) var isOpen = true
    /// The bytes that the kernel has accepted.
    private(set) var bytesSent: Int64 = 0
    /// Whether the socket is counted as a stream, and whether its client is counted in addition to the peer.
    var (isStream, hasCountedClient) = (false, false)
    /// Whether only the process's own user and root can have connected. See ``HTTPService/listenForOwner(_:)``.
    var isOwners = false
    /// Whether the client of this stream has closed its side, so that the stream no longer counts for its address.
    var isLeaving = false
    let descriptor: CInt
    private var watch: (any SocketWatch)?
    private unowned let service: HTTPService

    init(_ descriptor: CInt, peer: SocketAddress, reactor: any Reactor, service: HTTPService) {
        self.descriptor = descriptor
        self.peer = peer
        client = ServedClient(peer.host)
        self.service = service
        watch = reactor.watch(descriptor) { [unowned self] readiness in driver?.socketIsReady(self, for: readiness) }
    }

    deinit { assert(!isOpen, "a client's socket was dropped without close()") }

    /// The readiness to report; `[]` at first.
    package var interest: Readiness {
        get { watch?.interest ?? [] }
        set { if watch?.interest != newValue { watch?.interest = newValue } }
    }

    /// Counts the stream for its client's address no longer, because the client has closed its side. Nearly always it
    /// has gone, and may come back before that shows.
    package func clientHasClosed() { service.clientHasClosed(self) }

    /// Sets the size of the kernel's send buffer, in bytes (`SO_SNDBUF`; the kernel doubles it for its own use).
    package func setSendBuffer(_ bytes: Int) {
        SystemSocket.setOption(descriptor, SOL_SOCKET, SO_SNDBUF, CInt(clamping: bytes))
    }

    /// Sends several pieces at once, without blocking (`sendmsg`; unlike `writev` it raises no SIGPIPE).
    package func send(_ pieces: UnsafeMutableBufferPointer<iovec>) -> Sent {
        send(pieces, CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT))
    }

    /// Sends bytes; see ``send(_:)-(UnsafeMutableBufferPointer<iovec>)``. `isAll`: false if more follows at once; the
    /// kernel then holds back a packet that is not full.
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

    /// Sends a part of a file (`sendfile(2)`; if the client has gone it raises SIGPIPE, which the loop makes the
    /// process ignore). Never blocks on the client, but may block on the disk. Writes 0 bytes if the file has become so
    /// short that it has no data at the beginning of the part.
    func send(_ file: Descriptor, _ part: Range<Int>) -> Sent {
        var offset = off_t(part.lowerBound)
        return transmit { sendfile(descriptor, file.number, &offset, part.count) }
    }

    @inline(__always)
    private func transmit(_ call: () -> Int) -> Sent {
        guard isOpen else { return .broken }
        while true {
            let count = call()
            if count >= 0 {
                bytesSent += Int64(count)
                return .wrote(count)
            }
            switch errno {
            case EINTR: continue
            case EAGAIN, ENOBUFS: return .full
            default: return .broken
            }
        }
    }

    /// The number of sent bytes that the client's machine has not acknowledged yet (`SIOCOUTQ`).
    var unsentCount: Int {
        var count: CInt = 0
        guard isOpen, ioctl(descriptor, UInt(TIOCOUTQ), &count) == 0 else { return 0 }
        return Int(count)
    }

    /// Reads available data without blocking (`recv`).
    package func receive(into buffer: UnsafeMutableRawBufferPointer) -> Received {
        receive(buffer.baseAddress, buffer.count, CInt(MSG_DONTWAIT))
    }

    /// Discards up to `limit` bytes of input without blocking and without a buffer (`MSG_TRUNC` on TCP, tcp(7)).
    package func discard(upTo limit: Int = 64 * 1024) -> Received {
        // On Unix sockets, input cannot be discarded without a buffer.
        guard !peer.host.isUnix else {
            let buffer = service.readBuffer
            return receive(buffer.baseAddress, min(limit, buffer.count), CInt(MSG_DONTWAIT))
        }
        return receive(nil, limit, CInt(MSG_DONTWAIT) | CInt(MSG_TRUNC))
    }

    /// Checks for input without consuming it.
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

    /// Closes the sending direction; data already sent still arrives (`shutdown`).
    package func finishSending() {
        guard isOpen else { return }
        shutdown(descriptor, CInt(SHUT_WR))
    }

    /// Closes the socket and releases its place in the server. Idempotent.
    package func close() {
        guard isOpen else { return }
        isOpen = false
        watch?.cancel()
        watch = nil
        // A child process being started holds a copy of the descriptor until its exec. Without this call, the other
        // side would not see the end until then.
        shutdown(descriptor, CInt(SHUT_WR))
        Glibc.close(descriptor)
        service.socketIsClosed(self)
        // This must be last, because it may release the driver that is calling.
        driver = nil
    }
}

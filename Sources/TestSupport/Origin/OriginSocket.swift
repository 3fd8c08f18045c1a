// SPDX-License-Identifier: MIT

import Glibc
import Instants
import TestTools

/// The server's end of one connection. Each call blocks its thread until it is done, the connection ends, or the origin
/// is stopped.
struct OriginSocket {
    /// The reason why a script ends early.
    enum Ended: Error {
        /// The client has closed or reset the connection.
        case byPeer
        /// The origin is being stopped.
        case byStop
        /// The script has performed a `close` or `reset` step.
        case byScript
    }

    private let descriptor: CInt
    private let stop: Gate

    init(_ descriptor: CInt, stop: Gate) {
        self.descriptor = descriptor
        self.stop = stop
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    }

    /// Reads a request: its head, including the empty line, and its body, if the head states the body's length.
    func readRequest() throws -> OriginRequest {
        var request = try readHead()
        let length = request.header("Content-Length").flatMap { Int($0) } ?? 0
        request.body = try read(min(max(length, 0), 1 << 20))
        return request
    }

    private func read(_ length: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 64 << 10)
        while bytes.count < length {
            try wait(for: POLLIN)
            let count = recv(descriptor, &room, min(room.count, length - bytes.count), 0)
            guard count > 0 || (count < 0 && isTransient(errno)) else { throw Ended.byPeer }
            bytes += room.prefix(max(0, count))
        }
        return bytes
    }

    /// Reads a request head, including its empty line; at most 64 KiB.
    func readHead() throws -> OriginRequest {
        var head: [UInt8] = []
        while !head.suffix(4).elementsEqual([13, 10, 13, 10]), head.count < 65_536 {
            try wait(for: POLLIN)
            // The head is read byte by byte, because the bytes after it belong to the next step.
            var byte: UInt8 = 0
            let count = recv(descriptor, &byte, 1, 0)
            if count == 1 { head.append(byte) } else if count == 0 || !isTransient(errno) { throw Ended.byPeer }
        }
        return OriginRequest(head: String(decoding: head, as: UTF8.self))
    }

    /// Sends all bytes, as fast as the client accepts them. `count` is called with the number of bytes that the kernel
    /// has just accepted.
    func send(_ bytes: ArraySlice<UInt8>, count: (Int) -> Void) throws {
        var rest = bytes
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
            if sent >= 0 {
                rest = rest.dropFirst(sent)
                count(sent)
            } else if isTransient(errno) {
                try wait(for: POLLOUT)
            } else {
                throw Ended.byPeer
            }
        }
    }

    /// Keeps the connection open and silent until an instant, until a gate opens, or until the client disconnects.
    /// Discards the bytes that the client sends. Without an instant and a gate, the stall ends only when the client
    /// disconnects or the origin is stopped.
    func stall(until instant: MonotonicInstant? = nil, gate: Gate? = nil) throws {
        var watched = [stop.descriptor, descriptor, gate?.descriptor ?? -1].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        while true {
            let milliseconds = instant.map { Deadline(after: $0 - .now).milliseconds }
            if milliseconds == 0 { return }
            guard poll(&watched, nfds_t(watched.count), milliseconds ?? -1) > 0 else { continue }
            if watched[0].revents != 0 { throw Ended.byStop }
            if watched[2].revents != 0 { return }
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count == 0 || (count < 0 && !isTransient(errno)) { throw Ended.byPeer }
        }
    }

    /// Sends FIN, then receives and discards bytes from the client until the client closes as well. Closing with unread
    /// bytes would cause a reset, which destroys data on its way to the client.
    func closeOrderly() throws {
        shutdown(descriptor, CInt(SHUT_WR))
        try stall()
    }

    /// Makes the next close of this connection a reset.
    func prepareReset() {
        var lingering = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &lingering, socklen_t(MemoryLayout<linger>.size))
    }

    func close() { Loopback.close(descriptor) }

    private func wait(for events: CInt) throws {
        var watched = [
            pollfd(fd: stop.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: descriptor, events: Int16(events), revents: 0),
        ]
        while poll(&watched, 2, -1) < 1 {}
        if watched[0].revents != 0 { throw Ended.byStop }
    }

    private func isTransient(_ error: CInt) -> Bool { error == EAGAIN || error == EINTR }
}

// SPDX-License-Identifier: MIT

import Glibc
import Instants

/// The server's end of one connection, on a thread of its own: every call blocks, until it is done or the connection is
/// over or the origin is being stopped.
struct OriginSocket {
    /// Why a script does not go on.
    enum Ended: Error {
        /// The other side has closed or reset the connection.
        case byPeer
        /// The origin is being stopped.
        case byStop
        /// A `close` or `reset` of the script.
        case byScript
    }

    private let descriptor: CInt
    private let stop: Gate

    init(_ descriptor: CInt, stop: Gate) {
        self.descriptor = descriptor
        self.stop = stop
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    }

    /// Reads the head of a request up to its empty line.
    func readHead() throws -> OriginRequest {
        var head: [UInt8] = []
        while !head.suffix(4).elementsEqual([13, 10, 13, 10]), head.count < 65_536 {
            try wait(for: POLLIN)
            // Byte by byte: what follows the head belongs to the next step.
            var byte: UInt8 = 0
            let count = recv(descriptor, &byte, 1, 0)
            if count == 1 { head.append(byte) } else if count == 0 || !isTransient(errno) { throw Ended.byPeer }
        }
        return OriginRequest(head: String(decoding: head, as: UTF8.self))
    }

    /// Sends all bytes, as fast as they are taken; `count` takes how many the kernel has just taken.
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

    /// Stays open and silent until an instant, or until a gate opens (nil: never), or until the other side leaves.
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

    /// Says that nothing more will come, then takes what the other side still sends, until it closes as well: closing
    /// with bytes unread would be a reset, which destroys what is still on its way.
    func closeOrderly() throws {
        shutdown(descriptor, CInt(SHUT_WR))
        try stall()
    }

    /// Makes the close that follows a reset.
    func prepareReset() {
        var lingering = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &lingering, socklen_t(MemoryLayout<linger>.size))
    }

    func close() {
        Loopback.close(descriptor)
    }

    private func wait(for events: CInt) throws {
        var watched = [
            pollfd(fd: stop.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: descriptor, events: Int16(events), revents: 0),
        ]
        while poll(&watched, 2, -1) < 1 {}
        if watched[0].revents != 0 { throw Ended.byStop }
    }

    private func isTransient(_ error: CInt) -> Bool {
        error == EAGAIN || error == EINTR
    }
}

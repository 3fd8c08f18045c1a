// SPDX-License-Identifier: MIT

import Glibc
import Instants

/// One connection of a ``ScriptedOrigin``, played on a thread of its own.
struct OriginConnection {
    /// Why a script does not go on.
    private enum Ended: Error {
        /// The other side has closed or reset the connection.
        case byPeer
        /// The origin is being stopped.
        case byStop
        /// A `close` or `reset` of the script.
        case byScript
    }

    let descriptor: CInt
    let stop: Gate
    /// Takes the head of each request.
    let record: (OriginRequest) -> Void
    /// Takes the count of bytes that the kernel has just taken.
    let count: (Int) -> Void

    private var path = ""

    init(
        _ descriptor: CInt, stop: Gate, record: @escaping (OriginRequest) -> Void, count: @escaping (Int) -> Void
    ) {
        self.descriptor = descriptor
        self.stop = stop
        self.record = record
        self.count = count
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    }

    /// Plays the steps and closes the connection.
    mutating func play(_ steps: [OriginScript.Step]) {
        do {
            try run(steps)
            try closeOrderly()
        } catch {
            // However it ended, it has ended.
        }
        Loopback.close(descriptor)
    }

    private mutating func run(_ steps: [OriginScript.Step]) throws {
        for step in steps {
            switch step {
            case .request: try readRequest()
            case .send(let bytes): try send(bytes[...])
            case .drip(let bytes): for byte in bytes { try send([byte]) }
            case .pace(let bytes, let bytesPerSecond): try pace(bytes, bytesPerSecond)
            case .stall(let gate): try stall(until: gate)
            case .open(let gate): gate.open()
            case .byPath(let choices): try run(choices[path] ?? [.failure(404, "Not Found")])
            case .close:
                try closeOrderly()
                throw Ended.byScript
            case .reset:
                var lingering = linger(l_onoff: 1, l_linger: 0)
                setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &lingering, socklen_t(MemoryLayout<linger>.size))
                throw Ended.byScript
            }
        }
    }

    private mutating func readRequest() throws {
        var head: [UInt8] = []
        while !head.suffix(4).elementsEqual([13, 10, 13, 10]), head.count < 65_536 {
            try wait(for: POLLIN)
            // Byte by byte: what follows the head belongs to the next step.
            var byte: UInt8 = 0
            let count = recv(descriptor, &byte, 1, 0)
            if count == 1 { head.append(byte) } else if count == 0 || !isTransient(errno) { throw Ended.byPeer }
        }
        let request = OriginRequest(head: String(decoding: head, as: UTF8.self))
        path = request.path
        record(request)
    }

    private func send(_ bytes: ArraySlice<UInt8>) throws {
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

    /// Sends what is due every 20 ms, counted from the beginning so that no delay adds up.
    private func pace(_ bytes: [UInt8], _ bytesPerSecond: Int) throws {
        let begin = MonotonicInstant.now
        var sent = 0
        while sent < bytes.count {
            let due = min(bytes.count, Int((.now - begin).inSeconds * Double(bytesPerSecond)))
            try send(bytes[sent..<max(sent, due)])
            sent = max(sent, due)
            try pause(milliseconds: 20)
        }
    }

    private func pause(milliseconds: CInt) throws {
        var stopping = pollfd(fd: stop.descriptor, events: Int16(POLLIN), revents: 0)
        if poll(&stopping, 1, milliseconds) > 0 { throw Ended.byStop }
    }

    private func stall(until gate: Gate) throws {
        var watched = [stop.descriptor, gate.descriptor, descriptor].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        while true {
            guard poll(&watched, nfds_t(watched.count), -1) > 0 else { continue }
            if watched[0].revents != 0 { throw Ended.byStop }
            if watched[1].revents != 0 { return }
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count == 0 || (count < 0 && !isTransient(errno)) { throw Ended.byPeer }
        }
    }

    /// Says that nothing more will come, then takes what the other side still sends, until it closes as well: closing
    /// with bytes unread would be a reset, which destroys what is still on its way.
    private func closeOrderly() throws {
        shutdown(descriptor, CInt(SHUT_WR))
        try stall(until: Gate())
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

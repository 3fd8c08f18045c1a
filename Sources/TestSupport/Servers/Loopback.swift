// SPDX-License-Identifier: MIT

import Glibc

/// Plain blocking sockets on 127.0.0.1.
package enum Loopback {
    /// A port that nobody listened on a moment ago.
    package static func freePort() throws -> Int {
        let listener = try listen(port: 0, backlog: 1)
        defer { close(listener) }
        return try port(of: listener)
    }

    /// A listening socket on a port, or on any free one (0). The descriptor is the caller's.
    package static func listen(port: Int, backlog: CInt = 128) throws -> CInt {
        let descriptor = try bind(port: port)
        guard Glibc.listen(descriptor, backlog) == 0 else {
            let reason = errno
            close(descriptor)
            throw SetupError("cannot listen on port \(port): errno \(reason)")
        }
        return descriptor
    }

    /// A socket that is bound to a port, or to any free one (0), and does not listen: whoever connects is refused, and
    /// nobody else gets the port by chance. ``listen(port:backlog:)`` works beside it. The descriptor is the caller's.
    package static func bind(port: Int) throws -> CInt {
        let descriptor = try makeSocket()
        var yes: CInt = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<CInt>.size))
        guard withAddress(port: port, { Glibc.bind(descriptor, $0, $1) }) == 0 else {
            let reason = errno
            close(descriptor)
            throw SetupError("cannot bind port \(port): errno \(reason)")
        }
        return descriptor
    }

    /// The port that a socket is bound to.
    package static func port(of descriptor: CInt) throws -> Int {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let failure = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        guard failure == 0 else { throw SetupError("getsockname: errno \(errno)") }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    /// A connected socket. The descriptor is the caller's.
    package static func connect(port: Int) throws -> CInt {
        var result: (descriptor: CInt, reason: CInt) = (-1, EAGAIN)
        // Where other tests have just used up what the kernel has for new connections, it has some again soon.
        _ = try waitUntil(.seconds(5)) {
            let descriptor = try makeSocket()
            guard withAddress(port: port, { Glibc.connect(descriptor, $0, $1) }) != 0 else {
                result = (descriptor, 0)
                return true
            }
            result = (-1, errno)
            close(descriptor)
            return result.reason != EAGAIN
        }
        guard result.reason == 0 else { throw SetupError("cannot connect to port \(port): errno \(result.reason)") }
        return result.descriptor
    }

    /// Whether something listens on a port.
    package static func answers(port: Int) -> Bool {
        guard let descriptor = try? connect(port: port) else { return false }
        close(descriptor)
        return true
    }

    /// Sends a request and returns everything that comes back until the other side closes. Blocks.
    package static func exchange(port: Int, _ request: [UInt8], within limit: Duration) throws -> [UInt8] {
        let descriptor = try connect(port: port)
        defer { close(descriptor) }
        try send(request, to: descriptor)
        let deadline = Deadline(after: limit)
        var answer: [UInt8] = []
        while let bytes = try receive(from: descriptor, by: deadline), !bytes.isEmpty { answer += bytes }
        return answer
    }

    /// Whether a client that asks for a path is served `bytes` bytes of audio within `limit`. Blocks.
    package static func isHeard(port: Int, at path: String, bytes: Int, within limit: Duration) throws -> Bool {
        let descriptor = try connect(port: port)
        defer { close(descriptor) }
        try send(Array("GET \(path) HTTP/1.0\r\n\r\n".utf8), to: descriptor)
        let deadline = Deadline(after: limit)
        var answer: [UInt8] = []
        while let more = try receive(from: descriptor, by: deadline), !more.isEmpty {
            answer += more
            // The head has some 300 bytes; what is beyond is audio.
            if answer.count > 324 + bytes { return answer.starts(with: Array("HTTP/1.0 200 ".utf8)) }
        }
        return false
    }

    /// Sends everything, blocking as long as the other side does not take it.
    package static func send(_ bytes: some Collection<UInt8>, to descriptor: CInt) throws {
        let bytes = Array(bytes)
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress?.advanced(by: sent), bytes.count - sent, CInt(MSG_NOSIGNAL))
            }
            guard count > 0 else {
                if errno == EINTR { continue }
                throw SetupError("send: errno \(errno)")
            }
            sent += count
        }
    }

    /// What can be read next: no bytes at the end of the stream or after a reset, nil where nothing came by the
    /// deadline.
    package static func receive(from descriptor: CInt, by deadline: Deadline) throws -> [UInt8]? {
        var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&watched, 1, deadline.milliseconds) > 0 else { return nil }
        var buffer = [UInt8](repeating: 0, count: 65536)
        let count = buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
        guard count >= 0 || errno == ECONNRESET else { throw SetupError("recv: errno \(errno)") }
        return Array(buffer.prefix(max(0, count)))
    }

    package static func close(_ descriptor: CInt) {
        _ = Glibc.close(descriptor)
    }

    private static func makeSocket() throws -> CInt {
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw SetupError("socket: errno \(errno)") }
        var yes: CInt = 1
        setsockopt(descriptor, CInt(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<CInt>.size))
        return descriptor
    }

    private static func withAddress(port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> CInt) -> CInt {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(truncatingIfNeeded: port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
    }
}

// SPDX-License-Identifier: MIT

import Glibc
package import TestTools

/// Blocking sockets on 127.0.0.1.
package enum Loopback {
    /// A port that was free at the time of the call. Another process may take it afterwards.
    package static func freePort() throws -> Int {
        let listener = try listen(port: 0, backlog: 1)
        defer { close(listener) }
        return try port(of: listener)
    }

    /// A listening socket on a port, or on any free port if `port` is 0. The caller owns the descriptor.
    package static func listen(port: Int, backlog: CInt = 128) throws -> CInt {
        let descriptor = try bind(port: port)
        guard Glibc.listen(descriptor, backlog) == 0 else {
            let reason = errno
            close(descriptor)
            throw SetupError("cannot listen on port \(port): errno \(reason)")
        }
        return descriptor
    }

    /// A socket that is bound to a port, or to any free port if `port` is 0, but does not listen. Connections to the
    /// port are refused, and the kernel does not assign it to others. ``listen(port:backlog:)`` on the same port still
    /// works. The caller owns the descriptor.
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

    /// The port to which a socket is bound.
    package static func port(of descriptor: CInt) throws -> Int {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let failure = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        guard failure == 0 else { throw SetupError("getsockname: errno \(errno)") }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    /// A connected socket. The caller owns the descriptor.
    package static func connect(port: Int) throws -> CInt {
        var result: (descriptor: CInt, reason: CInt) = (-1, EAGAIN)
        // EAGAIN means that other tests have just used up the kernel's resources for new connections. They become
        // available again soon.
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

    /// Whether the port accepts connections.
    package static func answers(port: Int) -> Bool {
        guard let descriptor = try? connect(port: port) else { return false }
        close(descriptor)
        return true
    }

    /// Sends a request and returns all bytes received until the other side closes or `limit` has passed. Blocks.
    package static func exchange(port: Int, _ request: [UInt8], within limit: Duration) throws -> [UInt8] {
        let descriptor = try connect(port: port)
        defer { close(descriptor) }
        try send(request, to: descriptor)
        let deadline = Deadline(after: limit)
        var answer: [UInt8] = []
        while let bytes = try receive(from: descriptor, by: deadline), !bytes.isEmpty { answer += bytes }
        return answer
    }

    /// Whether a client that requests `path` receives `bytes` bytes of audio within `limit`. Blocks.
    package static func isHeard(port: Int, at path: String, bytes: Int, within limit: Duration) throws -> Bool {
        let descriptor = try connect(port: port)
        defer { close(descriptor) }
        try send(Array("GET \(path) HTTP/1.0\r\n\r\n".utf8), to: descriptor)
        let deadline = Deadline(after: limit)
        var answer: [UInt8] = []
        while let more = try receive(from: descriptor, by: deadline), !more.isEmpty {
            answer += more
            // The response head has about 300 bytes; everything after it is audio.
            if answer.count > 324 + bytes { return answer.starts(with: Array("HTTP/1.0 200 ".utf8)) }
        }
        return false
    }

    /// Sends all bytes. Blocks while the other side does not accept them.
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

    /// The next received bytes. They are empty at the end of the stream or after a reset, and nil if nothing arrived by
    /// the deadline.
    package static func receive(from descriptor: CInt, by deadline: Deadline) throws -> [UInt8]? {
        var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&watched, 1, deadline.milliseconds) > 0 else { return nil }
        var buffer = [UInt8](repeating: 0, count: 65536)
        let count = buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
        guard count >= 0 || errno == ECONNRESET else { throw SetupError("recv: errno \(errno)") }
        return Array(buffer.prefix(max(0, count)))
    }

    package static func close(_ descriptor: CInt) { _ = Glibc.close(descriptor) }

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

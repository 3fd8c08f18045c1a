// SPDX-License-Identifier: MIT

import Glibc
import TestTools

/// An address at which connection attempts get no answer, for as long as the object lives. It is a listening socket
/// with a full queue; the kernel drops new connections to it.
package final class BlackHole: Sendable {
    private let descriptors: [CInt]

    /// Creates a black hole on a port of a loopback address, such as `127.0.0.2`.
    package init(address: String, port: Int) throws {
        var descriptors: [CInt] = []
        do {
            let listener = try Self.socket(&descriptors)
            guard Self.withAddress(address, port, { bind(listener, $0, $1) }) == 0, listen(listener, 0) == 0 else {
                throw SetupError("no black hole at \(address):\(port): errno \(errno)")
            }
            // The queue holds one connection more than requested, so connections are opened until one of them is not
            // established at once. Then the queue is full.
            while try Self.isTaken(by: Self.socket(&descriptors), address, port) {
                guard descriptors.count < 20 else { throw SetupError("\(address):\(port) takes everybody") }
            }
        } catch {
            for descriptor in descriptors { close(descriptor) }
            throw error
        }
        self.descriptors = descriptors
    }

    deinit {
        for descriptor in descriptors { close(descriptor) }
    }

    private static func isTaken(by client: CInt, _ address: String, _ port: Int) -> Bool {
        if withAddress(address, port, { connect(client, $0, $1) }) == 0 { return true }
        // Over loopback, a connection is either established within microseconds or not at all.
        var watched = pollfd(fd: client, events: Int16(POLLOUT), revents: 0)
        return poll(&watched, 1, 50) > 0
    }

    private static func socket(_ descriptors: inout [CInt]) throws -> CInt {
        let type = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = Glibc.socket(AF_INET, type, 0)
        guard descriptor >= 0 else { throw SetupError("socket: errno \(errno)") }
        descriptors.append(descriptor)
        return descriptor
    }

    private static func withAddress(
        _ text: String, _ port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> CInt
    ) -> CInt {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(truncatingIfNeeded: port).bigEndian
        inet_pton(AF_INET, text, &address.sin_addr)
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
    }
}

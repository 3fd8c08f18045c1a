// SPDX-License-Identifier: MIT

import Glibc
import TestTools

/// Non-blocking sockets from one loopback address to another.
enum LoadSocket {
    /// Starts to connect to a port of 127.0.0.1 from the source address 127.0.0.2 plus `number`. The caller owns the
    /// descriptor.
    static func connect(to port: Int, from number: Int) throws -> CInt {
        let type = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_INET, type, 0)
        guard descriptor >= 0 else { throw SetupError("socket: errno \(errno)") }
        // The kernel chooses the port on connect, so one port can serve several connections.
        var yes: CInt = 1
        setsockopt(
            descriptor, CInt(IPPROTO_IP), IP_BIND_ADDRESS_NO_PORT, &yes, socklen_t(MemoryLayout<CInt>.size))
        let hasSource = withAddress(0x7F00_0002 + UInt32(number), port: 0) { bind(descriptor, $0, $1) } == 0
        guard hasSource else { return try failed(descriptor, "bind") }
        let isUnderWay =
            withAddress(0x7F00_0001, port: port) { Glibc.connect(descriptor, $0, $1) } == 0 || errno == EINPROGRESS
        return isUnderWay ? descriptor : try failed(descriptor, "connect")
    }

    private static func failed(_ descriptor: CInt, _ call: String) throws -> CInt {
        let reason = errno
        close(descriptor)
        throw SetupError("\(call): errno \(reason)")
    }

    private static func withAddress(
        _ host: UInt32, port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> CInt
    ) -> CInt {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(truncatingIfNeeded: port).bigEndian
        address.sin_addr.s_addr = host.bigEndian
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
    }
}

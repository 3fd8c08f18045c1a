// SPDX-License-Identifier: MIT

import Glibc

/// A client on 127.0.0.1 or ::1, or on any socket that it is given. Receiving never blocks: a test sends, and then
/// collects the bytes that have arrived. Not thread-safe.
package final class LoopbackClient {
    /// All bytes received so far.
    package private(set) var received: [UInt8] = []
    /// How the connection ended; nil while it is open.
    package private(set) var end: End?
    private var descriptor: CInt

    package enum End: Hashable {
        /// The server closed the connection with FIN.
        case closed
        /// The connection was reset or refused.
        case reset
    }

    /// Connects. Over loopback this succeeds at once, before the server has accepted. A small `receiveBuffer`, in
    /// bytes, makes a slow reader.
    package init(port: UInt16, isIPv6: Bool = false, receiveBuffer: CInt? = nil) {
        descriptor = socket(isIPv6 ? AF_INET6 : AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        if var size = receiveBuffer {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<CInt>.size))
        }
        let result = isIPv6 ? connect6(port) : connect4(port)
        if result != 0 { end = .reset }
    }

    /// Connects to a Unix socket, whose path has 107 bytes at most.
    package init(unixPath: String) {
        descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: unixPath.utf8.prefix(107)) }
        if connect(address) != 0 { end = .reset }
    }

    /// Takes over a socket. `isConnected` tells whether its connect succeeded.
    package init(_ descriptor: CInt, isConnected: Bool) {
        self.descriptor = descriptor
        if !isConnected { end = .reset }
    }

    deinit { close() }

    /// Sends text. Blocks only while the socket's send buffer is full, which an ordinary request never fills. Gives up
    /// on errors.
    package func send(_ text: String) { send(Array(text.utf8)) }

    package func send(_ bytes: [UInt8]) {
        var done = 0
        while done < bytes.count {
            let count = bytes[done...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            done += count
        }
    }

    /// Receives the bytes that have arrived, until `limit` bytes are received in total. Returns self, for use in
    /// conditions.
    @discardableResult
    package func collect(limit: Int = .max) -> LoopbackClient {
        // The buffer is not an array, because filling an array with zeros would take longer than receiving the few
        // bytes that usually arrive.
        withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 1) { buffer in
            while end == nil, received.count < limit {
                let wanted = min(buffer.count, limit - received.count)
                let count = recv(descriptor, buffer.baseAddress, wanted, CInt(MSG_DONTWAIT))
                if count > 0 {
                    received += buffer[..<count]
                } else if count == 0 {
                    end = .closed
                } else if errno == EAGAIN {
                    break
                } else {
                    end = .reset
                }
            }
        }
        return self
    }

    /// Sends as many bytes as the socket accepts without blocking, and returns their number.
    package func sendWithoutWaiting(_ bytes: [UInt8]) -> Int {
        max(
            0,
            bytes.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT))
            })
    }

    /// Receives the bytes that have arrived and discards them, together with all bytes received before.
    package func discard() {
        collect()
        received.removeAll(keepingCapacity: true)
    }

    /// Shuts down the sending side of the connection.
    package func finishSending() { shutdown(descriptor, CInt(SHUT_WR)) }

    /// Closes with RST instead of FIN.
    package func reset() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        Glibc.close(descriptor)
        descriptor = -1
    }

    package func close() {
        guard descriptor >= 0 else { return }
        // Another test may be starting a child process, which holds a copy of the descriptor until its exec. The
        // shutdown sends FIN all the same.
        finishSending()
        Glibc.close(descriptor)
        descriptor = -1
    }

    /// The received bytes as text.
    package var text: String { String(decoding: received, as: UTF8.self) }

    /// The received bytes after the first empty line.
    package var body: [UInt8] {
        let mark = Array("\r\n\r\n".utf8)
        guard received.count >= mark.count else { return [] }
        let start = (0...(received.count - mark.count)).first { received[$0..<($0 + mark.count)].elementsEqual(mark) }
        return start.map { Array(received[($0 + mark.count)...]) } ?? []
    }

    private func connect4(_ port: UInt16) -> CInt {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return connect(address)
    }

    private func connect6(_ port: UInt16) -> CInt {
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = port.bigEndian
        withUnsafeMutableBytes(of: &address.sin6_addr) { $0[15] = 1 }
        return connect(address)
    }

    private func connect<Address>(_ address: Address) -> CInt {
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<Address>.size))
            }
        }
    }
}

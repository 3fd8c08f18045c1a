// SPDX-License-Identifier: MIT

import Glibc
import Synchronization
import TestTools

/// A server on loopback that runs a test's script for each connection: raw sockets on its own threads.
final class ScriptedServer: Sendable {
    /// One accepted connection; used on its own thread.
    struct Connection {
        let descriptor: CInt
        /// How many connections were accepted before this one.
        let number: Int
        /// The server's port.
        let port: UInt16

        /// Reads up to the end of the request's head; less if the client hangs up.
        func readHead() -> String { String(decoding: readBytesOfHead(), as: UTF8.self) }

        func readBytesOfHead() -> [UInt8] {
            var bytes: [UInt8] = []
            var byte: UInt8 = 0
            while !bytes.suffix(4).elementsEqual("\r\n\r\n".utf8), read(descriptor, &byte, 1) == 1 {
                bytes.append(byte)
            }
            return bytes
        }

        /// False if the client has hung up.
        @discardableResult
        func send(_ bytes: some Collection<UInt8>) -> Bool {
            var rest = Array(bytes)[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }

        @discardableResult
        func send(_ text: String) -> Bool { send(text.utf8) }

        /// Reads the head of the request, and sends a response, or the beginning of one.
        func answer(_ response: String) {
            _ = readHead()
            send(response)
        }

        /// Waits until the client hangs up.
        func waitForEnd() {
            var byte: UInt8 = 0
            while read(descriptor, &byte, 1) > 0 {}
        }

        /// Makes the connection end with a reset instead of an orderly close.
        func reset() {
            var option = linger(l_onoff: 1, l_linger: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        }
    }

    /// The last byte of its address, 127.0.0.x.
    private let host: UInt8
    let port: UInt16
    private let listener: CInt
    private let script: @Sendable (Connection) -> Void
    private let state = Mutex((accepted: 0, requests: [String](), isStopping: false))

    /// Listens on a free port. `script` runs once for each connection, for several connections at a time; each
    /// connection is closed after its script.
    init(host: UInt8 = 1, _ script: @escaping @Sendable (Connection) -> Void) throws {
        signal(SIGPIPE, SIG_IGN)
        self.host = host
        self.script = script
        (listener, port) = try Self.listen(host)
        startThread("test-server") { [self] in acceptAll() }
    }

    /// Answers each request with the same text.
    convenience init(answer: String) throws {
        try self.init { connection in
            connection.answer(answer)
        }
    }

    var accepted: Int { state.withLock { $0.accepted } }

    /// Stops accepting.
    func stop() {
        state.withLock { $0.isStopping = true }
        shutdown(listener, CInt(SHUT_RDWR))
    }

    func url(_ path: String = "/live", user: String? = nil) -> String {
        "http://\(user.map { "\($0)@" } ?? "")127.0.0.\(host):\(port)\(path)"
    }

    private func acceptAll() {
        while true {
            let descriptor = accept(listener, nil, nil)
            guard descriptor >= 0, !state.withLock({ $0.isStopping }) else { break }
            let number = state.withLock { state in
                defer { state.accepted += 1 }
                return state.accepted
            }
            startThread("test-connection") { [script, port] in
                script(Connection(descriptor: descriptor, number: number, port: port))
                close(descriptor)
            }
        }
        close(listener)
    }

    /// A port on loopback without a listener.
    static func deadPort() throws -> UInt16 {
        let (descriptor, port) = try listen(1)
        close(descriptor)
        return port
    }

    private struct SocketError: Error { var number = errno }

    private static func listen(_ host: UInt8) throws -> (CInt, UInt16) {
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw SocketError() }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = (0x7f00_0000 | UInt32(host)).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && Glibc.listen(descriptor, 128) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard result else { throw SocketError() }
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }
}

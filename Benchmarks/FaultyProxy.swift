// SPDX-License-Identifier: MIT

import Glibc
import TestSupport
import TestTools

/// A proxy between one recorder and an Icecast that disturbs each connection after a fixed time.
///
/// Until then, the server's bytes pass through unchanged. One thread accepts, and each connection has a thread of its
/// own. The accepting thread ends when the object is released, the others with their connections.
final class FaultyProxy: Sendable {
    enum Fault: Sendable {
        /// The connection is closed in the middle of a frame.
        case cut
        /// The connection stays open, but nothing more arrives.
        case silence
    }

    let port: Int
    private let listener: CInt
    private let struck = Watched(0)

    /// Starts to listen in front of a server on loopback. Each connection is disturbed when `time` has passed since its
    /// accept.
    init(to server: Int, _ fault: Fault, after time: Duration) throws {
        let listener = try Loopback.listen(port: 0)
        port = try Loopback.port(of: listener)
        self.listener = listener
        startThread("bench-proxy") { [struck] in
            while true {
                let client = accept(listener, nil, nil)
                // `accept` fails permanently once the listener is shut down.
                guard client >= 0 else { if errno == EINTR || errno == ECONNABORTED { continue } else { break } }
                startThread("bench-listener") {
                    defer { Loopback.close(client) }
                    let connection = ProxyConnection(client, fault, after: time)
                    if (try? connection.pass(to: server)) == true { struck.change { $0 += 1 } }
                }
            }
            Loopback.close(listener)
        }
    }

    deinit {
        shutdown(listener, CInt(SHUT_RDWR))
    }

    func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

    /// The number of connections disturbed so far.
    var faults: Int { struck.value }
}

/// One connection of a ``FaultyProxy``. All calls block their thread.
private struct ProxyConnection {
    private let client: CInt
    private let fault: FaultyProxy.Fault
    private let due: Deadline

    /// The longest pause that is tolerated from a server that sends in real time.
    private static let patience = Duration.seconds(30)

    init(_ client: CInt, _ fault: FaultyProxy.Fault, after time: Duration) {
        (self.client, self.fault) = (client, fault)
        due = Deadline(after: time)
    }

    /// Forwards the request, then the response; true if the fault has occurred.
    func pass(to server: Int) throws -> Bool {
        let upstream = try Loopback.connect(port: server)
        defer { Loopback.close(upstream) }
        try Loopback.send(try request(), to: upstream)
        while let bytes = try Loopback.receive(from: upstream, by: Deadline(after: Self.patience)), !bytes.isEmpty {
            guard due.hasPassed, let middle = Self.middleOfFrame(in: bytes) else {
                try Loopback.send(bytes, to: client)
                continue
            }
            try Loopback.send(bytes.prefix(middle), to: client)
            if fault == .silence { try waitForItsEnd() }
            return true
        }
        return false
    }

    /// The request head, including its empty line.
    private func request() throws -> [UInt8] {
        var head: [UInt8] = []
        while !head.suffix(4).elementsEqual([13, 10, 13, 10]) {
            guard let bytes = try Loopback.receive(from: client, by: Deadline(after: Self.patience)), !bytes.isEmpty
            else { throw SetupError("a client without a request") }
            head += bytes
        }
        return head
    }

    private func waitForItsEnd() throws {
        while try Loopback.receive(from: client, by: Deadline(after: Self.patience))?.isEmpty != true {}
    }

    /// The middle of the first whole frame of the programme; nil if there is none. A frame is recognised by its header
    /// and the next one: layer III, 128 kbit/s, 44.1 kHz, with or without padding.
    private static func middleOfFrame(in bytes: [UInt8]) -> Int? {
        func isHeader(at offset: Int) -> Bool {
            offset + 2 < bytes.count && bytes[offset] == 0xFF && bytes[offset + 1] == 0xFB
                && bytes[offset + 2] & 0xFD == 0x90
        }
        let start = bytes.indices.first { isHeader(at: $0) && (isHeader(at: $0 + 417) || isHeader(at: $0 + 418)) }
        return start.map { $0 + 208 }
    }
}

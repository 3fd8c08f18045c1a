// SPDX-License-Identifier: MIT

import CurlClient
import EventLoop
import Instants
import Synchronization
import TestSupport
import TestTools
import Testing

/// A server that sends faster than the client reads gets its share of each loop turn, and no more.
struct TurnShareTests {
    private static let body = (0..<4_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 5) }

    /// The deliveries in each loop turn.
    private struct Turns {
        private(set) var most = (deliveries: 0, bytes: 0)
        private(set) var count = 0
        private var turn: MonotonicInstant?
        private var current = (deliveries: 0, bytes: 0)

        mutating func take(_ bytes: Int, in turn: MonotonicInstant) {
            if self.turn != turn { (self.turn, current, count) = (turn, (0, 0), count + 1) }
            current = (current.deliveries + 1, current.bytes + bytes)
            most = (max(most.deliveries, current.deliveries), max(most.bytes, current.bytes))
        }
    }

    /// Fetches the body; `read` runs in each delivery.
    private static func turns(
        of body: [UInt8] = body, chunked: Bool = false, read: @escaping @Sendable () -> Void = {}
    ) async throws -> Turns {
        let server = try ScriptedServer { connection in
            _ = connection.readHead()
            guard chunked else {
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n")
                connection.send(body)
                return
            }
            connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            for start in stride(from: 0, to: body.count, by: 5_000) {
                connection.send("1388\r\n")
                connection.send(Array(body[start..<start + 5_000]))
                connection.send("\r\n")
            }
            connection.send("0\r\n\r\n")
        }
        defer { server.stop() }
        return try await Bench.with { bench in
            let turns = Mutex((Turns(), 0))
            let outcome = await bench.fetch(TransferRequest(url: server.url())) { listener, moment, _ in
                guard moment == .body else { return }
                read()
                let received = listener.outcome.body.count
                turns.withLock {
                    $0.0.take(received - $0.1, in: bench.loop.reactor.now)
                    $0.1 = received
                }
            }
            #expect(outcome.error == nil && outcome.body == body)
            return turns.withLock { $0.0 }
        }
    }

    @Test("A loop turn delivers at most 1 MiB plus one delivery", arguments: [false, true])
    func bytes(chunked: Bool) async throws {
        let turns = try await Self.turns(chunked: chunked)
        #expect(turns.most.bytes <= (1024 + 16) * 1024)
        #expect(turns.count >= Self.body.count / ((1024 + 16) * 1024))
    }

    @Test("A slow reader gets one delivery in each loop turn")
    func time() async throws {
        let turns = try await Self.turns(of: Array(Self.body.prefix(400_000))) {
            let end = MonotonicInstant.now + .milliseconds(11)
            while MonotonicInstant.now < end {}
        }
        #expect(turns.most.deliveries == 1)
    }
}

// SPDX-License-Identifier: MIT

import CurlClient
import EventLoop
import Synchronization
import Testing

/// Cancelling, pausing and closing at the worst moments.
struct ControlTests {
    /// A server that redirects once and then sends audio until the client hangs up.
    private static func endlessServer() throws -> ScriptedServer {
        try ScriptedServer { connection in
            let head = connection.readHead()
            guard !head.hasPrefix("GET /first") else {
                connection.send("HTTP/1.1 302 Found\r\nLocation: /live\r\n\r\n")
                return
            }
            connection.send("HTTP/1.1 200 OK\r\n\r\n")
            let bytes = [UInt8](repeating: 7, count: 4096)
            while connection.send(bytes) {}
        }
    }

    @Test(
        "No call follows a cancellation from within any call",
        arguments: [
            Listener.Moment.phase(.resolving), .phase(.connecting), .phase(.waitingForHead), .phase(.receiving), .head,
            .body,
        ])
    func cancellingInCall(moment: Listener.Moment) async throws {
        let server = try Self.endlessServer()
        defer { server.stop() }
        try await Bench.with { bench in
            let outcome = await bench.fetchCancelling(TransferRequest(url: server.url("/first")), at: moment)
            #expect(outcome != nil && outcome?.error == nil)
            // The client still works.
            let next = await bench.fetchCancelling(TransferRequest(url: server.url()), at: .body)
            #expect(next?.deliveries == 1)
        }
    }

    @Test("Cancelling a transfer closes its connection") func cancellingFromOutside() async throws {
        let isClosed = Mutex(false)
        let server = try ScriptedServer { connection in
            connection.answer("HTTP/1.1 200 OK\r\n\r\nx")
            connection.waitForEnd()
            isClosed.withLock { $0 = true }
        }
        defer { server.stop() }
        try await Bench.with { bench in
            _ = await bench.fetchCancelling(TransferRequest(url: server.url()), at: .body)
        }
        while !isClosed.withLock({ $0 }) { await Task.yield() }
    }

    @Test("A transfer that is cancelled before it starts makes no calls") func cancellingAtStart() async throws {
        let server = try Self.endlessServer()
        defer { server.stop() }
        try await Bench.with { bench in
            let calls = await withCheckedContinuation { (continuation: CheckedContinuation<Int, Never>) in
                bench.loop.post {
                    let listener = Listener { listener, _, _ in listener.count += 1 }
                    bench.client?.start(TransferRequest(url: server.url()), delegate: listener).cancel()
                    bench.loop.post { continuation.resume(returning: listener.count) }
                }
            }
            #expect(calls == 0)
        }
        #expect(server.accepted == 0)
    }

    @Test("A paused transfer delivers nothing and loses nothing") func pausing() async throws {
        let size = 2_000_000
        let server = try ScriptedServer { connection in
            connection.answer("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n")
            connection.send((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })
        }
        defer { server.stop() }
        try await Bench.with { bench in
            let outcome = await bench.fetch(TransferRequest(url: server.url())) { listener, moment, transfer in
                guard moment == .body, listener.outcome.deliveries.isMultiple(of: 3) else { return }
                listener.isPaused = true
                transfer.pause()
                // Two loop turns later.
                bench.loop.post {
                    bench.loop.post {
                        listener.isPaused = false
                        listener.transfer?.resume()
                    }
                }
            }
            #expect(outcome.error == nil && !outcome.cameWhilePaused)
            #expect(outcome.body == (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })
        }
    }

    @Test("Gathering bytes into fewer deliveries loses nothing", arguments: [false, true])
    func gathering(isCoalesced: Bool) async throws {
        let server = try ScriptedServer { connection in
            connection.answer("HTTP/1.1 200 OK\r\n\r\n")
            for _ in 0..<50 {
                connection.send([UInt8](repeating: 1, count: 100))
                usleepBriefly()
            }
        }
        defer { server.stop() }
        let outcome = try await fetch(TransferRequest(url: server.url())) { _, moment, transfer in
            if moment == .head { transfer.gather(4096, isCoalesced: isCoalesced) }
        }
        #expect(outcome.error == nil && outcome.body.count == 5000)
        // There are at most two deliveries at thresholds, one at the end, and those of bytes that arrived with the
        // head.
        #expect(outcome.deliveries <= 5)
    }

    @Test("Pausing and resuming in one call changes nothing") func pausingAndResuming() async throws {
        let server = try ScriptedServer { connection in
            connection.answer("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
            connection.send([UInt8](repeating: 1, count: 100_000))
        }
        defer { server.stop() }
        let outcome = try await fetch(TransferRequest(url: server.url())) { _, _, transfer in
            transfer.pause()
            transfer.resume()
        }
        #expect(outcome.error == nil && outcome.body.count == 100_000)
    }

    @Test("Two transfers run at the same time") func twoTransfers() async throws {
        let server = try ScriptedServer { connection in
            let head = connection.readHead()
            let byte: UInt8 = head.hasPrefix("GET /a") ? 1 : 2
            connection.send("HTTP/1.1 200 OK\r\n\r\n")
            connection.send([UInt8](repeating: byte, count: 500_000))
        }
        defer { server.stop() }
        try await Bench.with { bench in
            async let one = bench.fetch(TransferRequest(url: server.url("/a")))
            async let other = bench.fetch(TransferRequest(url: server.url("/b")))
            let outcomes = await [one, other]
            #expect(outcomes[0].body == [UInt8](repeating: 1, count: 500_000))
            #expect(outcomes[1].body == [UInt8](repeating: 2, count: 500_000))
        }
    }

    @Test(
        "A client may be closed within any call, and no call follows",
        arguments: [
            Listener.Moment.phase(.resolving), .phase(.connecting), .phase(.waitingForHead), .head, .body, .end,
        ])
    func closingInCall(moment: Listener.Moment) async throws {
        let server = try ScriptedServer { connection in
            connection.answer("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc")
            connection.waitForEnd()
        }
        defer { server.stop() }
        try await Bench.with { bench in
            let calls = await withCheckedContinuation { (continuation: CheckedContinuation<Int, Never>) in
                bench.loop.post {
                    let listener = Listener { listener, now, _ in
                        if listener.count > 0 { listener.count += 1 }
                        guard now == moment, listener.count == 0 else { return }
                        listener.count = 1
                        bench.client?.close()
                        bench.loop.post { bench.loop.post { continuation.resume(returning: listener.count - 1) } }
                    }
                    for _ in 0..<3 { _ = bench.client?.start(TransferRequest(url: server.url()), delegate: listener) }
                }
            }
            #expect(calls == 0)
        }
    }

    @Test("An error of the multi handle ends all transfers, and the next transfer works") func multiError() async throws
    {
        let server = try Self.endlessServer()
        defer { server.stop() }
        try await Bench.with { bench in
            let outcome = await bench.fetch(TransferRequest(url: server.url())) { listener, moment, _ in
                guard moment == .body, listener.outcome.deliveries == 1 else { return }
                bench.loop.post { bench.client?.rebuild() }
            }
            #expect(outcome.error?.code == .aborted)
            let next = await bench.fetchCancelling(TransferRequest(url: server.url()), at: .body)
            #expect(next?.deliveries == 1)
        }
    }

    @Test("A transfer may be started from the end of another one") func startingAtEnd() async throws {
        let server = try ScriptedServer(answer: "HTTP/1.1 200 OK\r\n\r\nx")
        defer { server.stop() }
        try await Bench.with { bench in
            let count = await withCheckedContinuation { (continuation: CheckedContinuation<Int, Never>) in
                bench.loop.post {
                    var count = 0
                    func next() {
                        let listener = Listener { _, moment, _ in
                            guard moment == .end else { return }
                            count += 1
                            if count < 5 { next() } else { continuation.resume(returning: count) }
                        }
                        _ = bench.client?.start(TransferRequest(url: server.url()), delegate: listener)
                    }
                    next()
                }
            }
            #expect(count == 5)
        }
        #expect(server.accepted == 5)
    }
}

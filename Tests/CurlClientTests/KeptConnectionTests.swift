// SPDX-License-Identifier: MIT

import CurlClient
import EventLoop
import Instants
import Synchronization
import TestTools
import Testing

/// Requests that share connections, against a real server on loopback.
struct KeptConnectionTests {
    /// A server that answers each request on each connection, and counts.
    final class Server: Sendable {
        let requests = Mutex<[(connection: Int, head: String)]>([])
        let server: Mutex<ScriptedServer?> = Mutex(nil)

        /// `answer` returns the response to a request by its number on its connection, or nil to close.
        init(_ answer: @escaping @Sendable (_ connection: Int, _ number: Int) -> String?) throws {
            let started = try ScriptedServer { [self] connection in
                var number = 0
                while true {
                    let head = connection.readHead()
                    guard !head.isEmpty else { return }
                    requests.withLock { $0.append((connection.number, head)) }
                    guard let text = answer(connection.number, number) else { return }
                    connection.send(text)
                    number += 1
                }
            }
            server.withLock { $0 = started }
        }

        var connections: [Int] { requests.withLock { $0.map(\.connection) } }
        var heads: [String] { requests.withLock { $0.map(\.head) } }
        func stop() { server.withLock { $0?.stop() } }

        func request(_ change: (inout TransferRequest) -> Void = { _ in }) -> TransferRequest {
            var request = TransferRequest(url: server.withLock { $0?.url() } ?? "", wantsMetadata: false)
            request.keepsConnection = true
            change(&request)
            return request
        }
    }

    private static let hello = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"

    @Test("Requests that keep their connection use one; others have their own")
    func reuse() async throws {
        let server = try Server { _, _ in Self.hello }
        defer { server.stop() }
        let outcomes = try await Bench.with { bench in
            var outcomes: [Outcome] = []
            for isKept in [true, true, false, true, false] {
                outcomes.append(await bench.fetch(server.request { $0.keepsConnection = isKept }))
            }
            return outcomes
        }
        #expect(outcomes.allSatisfy { $0.error == nil && $0.text == "hello" })
        #expect(server.connections == [0, 0, 1, 0, 2])
        #expect(outcomes[1].phases == [.resolving, .waitingForHead, .receiving])
        #expect(outcomes.allSatisfy { $0.head?.peerAddress == "127.0.0.1" && $0.head?.isPeerPrivate == true })
    }

    @Test("A connection that the server closes between two requests is replaced")
    func closedBetween() async throws {
        let server = try Server { _, number in number == 0 ? Self.hello : nil }
        defer { server.stop() }
        let texts = try await Bench.with { bench in
            var texts: [String] = []
            for _ in 0..<3 { texts.append(await bench.fetch(server.request()).text) }
            return texts
        }
        // Each connection got a second request, which the next one repeated.
        #expect(texts == ["hello", "hello", "hello"] && server.connections == [0, 0, 1, 1, 2])
    }

    @Test("A request that a kept connection does not answer is repeated once, on a fresh connection")
    func repeatedOnce() async throws {
        let server = try Server { connection, number in connection == 0 && number == 0 ? Self.hello : nil }
        defer { server.stop() }
        let error = try await Bench.with { bench in
            _ = await bench.fetch(server.request())
            return await bench.fetch(server.request()).error
        }
        #expect(error?.code == .dropped && server.connections == [0, 0, 1])
    }

    @Test("A request that must not reach private addresses does not do so on a connection of another")
    func strictness() async throws {
        let server = try Server { _, _ in Self.hello }
        defer { server.stop() }
        let outcomes = try await Bench.with { bench in
            let lax = await bench.fetch(server.request())
            let strict = await bench.fetch(server.request { $0.allowsPrivateAddress = false })
            return [lax, strict, await bench.fetch(server.request())]
        }
        #expect(outcomes.map { $0.error?.code } == [nil, .addressForbidden, nil])
        #expect(server.connections.count == 2 && outcomes[1].heads.isEmpty)
    }

    @Test("After a change of the network, and after a cancellation, a request has a fresh connection")
    func freshness() async throws {
        let server = try Server { _, number in
            number == 2 ? "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello" : Self.hello
        }
        defer { server.stop() }
        try await Bench.with { bench in
            for _ in 0..<2 { _ = await bench.fetch(server.request()) }
            _ = await bench.fetchCancelling(server.request(), at: .body)
            _ = await bench.fetch(server.request())
            await withCheckedContinuation { continuation in
                bench.loop.post {
                    bench.client?.networkChanged()
                    continuation.resume()
                }
            }
            _ = await bench.fetch(server.request())
        }
        #expect(server.connections == [0, 0, 0, 1, 2])
    }

    @Test("A copy that is still true is not sent again, and the end of a range is named")
    func conditions() async throws {
        let server = try Server { _, number in
            number == 0
                ? "HTTP/1.1 304 Not Modified\r\nETag: \"a\"\r\n\r\n"
                : "HTTP/1.1 206 Partial\r\nContent-Range: bytes 5-9/100\r\nContent-Length: 5\r\n\r\nhello"
        }
        defer { server.stop() }
        let outcomes = try await Bench.with { bench in
            let same = await bench.fetch(
                server.request { ($0.ifNoneMatch, $0.ifModifiedSince) = ("\"a\"", "Thu, 01 Jan 2026 00:00:00 GMT") })
            let part = await bench.fetch(
                server.request { ($0.resumeAt, $0.lastByte, $0.resumeValidator) = (5, 9, "\"a\"") })
            return [same, part]
        }
        #expect(outcomes.map { $0.head?.status } == [304, 206] && outcomes[0].body.isEmpty)
        #expect(outcomes[1].text == "hello" && server.connections == [0, 0])
        #expect(server.heads[0].contains("\r\nIf-None-Match: \"a\"\r\nIf-Modified-Since: Thu, 01 Jan 2026"))
        #expect(server.heads[1].contains("\r\nRange: bytes=5-9\r\nIf-Range: \"a\"\r\n"))
    }

    @Test("A body is asked for in compressed form, and decoded")
    func compression() async throws {
        // "File1=x" by gzip.
        let body: [UInt8] = [
            0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 2, 3, 0x73, 0xCB, 0xCC, 0x49, 0x35, 0xB4, 0xAD, 0, 0, 0xC5, 0x62, 0xE9, 0xD4,
            7, 0, 0, 0,
        ]
        let outcome = try await fetch(
            from: { connection in
                #expect(connection.readHead().contains("\r\nAccept-Encoding: gzip\r\n"))
                connection.send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(body.count)\r\n\r\n")
                connection.send(body)
            }, { $0.asksForCompression = true })
        #expect(outcome.error == nil && outcome.text == "File1=x")
    }

    @Test("A body that becomes too long when it is decoded is ended")
    func bomb() async throws {
        let bomb = Self.gzipOfZeros(matches: 200_000)
        let server = try ScriptedServer { connection in
            connection.answer("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(bomb.count)\r\n\r\n")
            connection.send(bomb)
        }
        defer { server.stop() }
        var request = TransferRequest(url: server.url(), wantsMetadata: false)
        (request.asksForCompression, request.keepsConnection) = (true, true)
        let asked = request
        let decoded = try await Bench.with { await $0.fetch(asked) }
        #expect(decoded.body.count == 200_000 * 258 + 1 && bomb.count < 350_000)
        let bounded = try await onThread { Fetch.wait(for: asked, limit: 1 << 20, patience: .seconds(20)) }
        guard case .failure(.tooLong) = bounded else {
            Issue.record("\(bounded)")
            return
        }
    }

    /// Zeros in gzip's format: a literal, then repetitions of 258 bytes, with the fixed codes of RFC 1951. The sum
    /// at the end is wrong.
    private static func gzipOfZeros(matches: Int) -> [UInt8] {
        var bits: [UInt8] = [1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0]
        for _ in 0..<matches { bits += [1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0] }
        bits += [UInt8](repeating: 0, count: 7 + 7)
        let packed = stride(from: 0, to: bits.count / 8 * 8, by: 8).map { start in
            (0..<8).reduce(0 as UInt8) { $0 | bits[start + $1] << UInt8($1) }
        }
        return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255] + packed + [0, 0, 0, 0, 0, 0, 0, 0]
    }
}

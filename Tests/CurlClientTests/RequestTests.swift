// SPDX-License-Identifier: MIT

import Synchronization
import Testing

@testable import CurlClient

/// Requests that fail before a byte is sent, and the bytes of those that are sent.
struct RequestTests {
    @Test("A port without a listener is reported as refused") func refusedPort() async throws {
        let port = try ScriptedServer.deadPort()
        let outcome = try await fetch(TransferRequest(url: "http://127.0.0.1:\(port)/live?token=secret"))
        #expect(outcome.error?.code == .refused)
        #expect(outcome.error?.message == "http://127.0.0.1:\(port)/live refused the connection")
    }

    @Test("A host that does not exist is reported as unknown, without secrets") func unknownHost() async throws {
        let outcome = try await fetch(TransferRequest(url: "http://user:pass@station.invalid/live?token=secret"))
        #expect(outcome.error?.code == .unknownHost)
        let text = outcome.error?.description ?? ""
        for secret in ["user", "pass", "token", "secret"] { #expect(!text.contains(secret)) }
        #expect(outcome.phases == [.resolving])
    }

    @Test(
        "A malformed URL is refused",
        arguments: ["", "http://", "http://a b/", "http://127.0.0.1:99999/", "http://x/\0y", "http://x/\r\nHost: y"])
    func badURL(url: String) async throws {
        let outcome = try await fetch(TransferRequest(url: url))
        #expect(outcome.error?.code == .badURL)
    }

    @Test(
        "A URL with another scheme is refused",
        arguments: ["file:///etc/passwd", "ftp://127.0.0.1/", "gopher://127.0.0.1/"])
    func otherScheme(url: String) async throws {
        let outcome = try await fetch(TransferRequest(url: url))
        #expect(outcome.error?.code == .badURL)
    }

    @Test(
        "A header field that would break the request is refused",
        arguments: [
            ("X", "a\r\nY: b"), ("X", "a\0"), ("X\r\nY", "a"), ("X Y", "a"), ("", "a"), ("X:", "a"), ("X", "a\n"),
        ])
    func badField(field: (String, String)) async throws {
        var request = TransferRequest(url: "http://127.0.0.1:1/")
        request.headers = [(field.0, field.1)]
        let outcome = try await fetch(request)
        #expect(outcome.error?.code == .badHeader)
    }

    @Test("A user agent that would break the request is refused") func badUserAgent() async throws {
        let outcome = try await fetch(TransferRequest(url: "http://127.0.0.1:1/", userAgent: "a\r\nb"))
        #expect(outcome.error?.code == .badHeader)
    }

    @Test("A36: Bytes that are not UTF-8 are sent in fields as they are") func otherBytes() async throws {
        let heads = Mutex<[[UInt8]]>([])
        let server = try ScriptedServer { connection in
            let head = connection.readBytesOfHead()
            heads.withLock { $0.append(head) }
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        }
        defer { server.stop() }
        // The text of such a byte is U+10FE00 plus the byte.
        var request = TransferRequest(url: server.url(), userAgent: "J\u{10FEFC}rgen")
        request.headers = [("X-A", "caf\u{10FEE9}")]
        #expect(try await fetch(request).error == nil)
        let head = try #require(heads.withLock { $0.first })
        #expect(head.contains(Array("User-Agent: J".utf8) + [0xFC] + Array("rgen\r\n".utf8)))
        #expect(head.contains(Array("X-A: caf".utf8) + [0xE9, 0x0D]))
        // So are those of a request that is sent as plain text.
        let plain = PlainRequest(request.url, userAgent: request.userAgent, lines: [], cookies: [])
        #expect(plain?.url.contains("J%FCrgen") == true)
    }

    @Test(
        "A forbidden address is never connected to",
        arguments: ["http://169.254.169.254/", "http://[fe80::1]/", "http://0.0.0.0:1/", "http://239.1.2.3/"])
    func forbiddenAddress(url: String) async throws {
        let outcome = try await fetch(TransferRequest(url: url))
        #expect(outcome.error?.code == .addressForbidden)
    }

    @Test("A13: A stalled TLS handshake runs into the deadline")
    func stalledHandshake() async throws {
        // The server accepts the connection and never answers the TLS handshake: the deadline covers TLS as well.
        let server = try ScriptedServer { $0.waitForEnd() }
        defer { server.stop() }
        var request = TransferRequest(url: "https://127.0.0.1:\(server.port)/")
        request.connectTimeout = .milliseconds(100)
        let outcome = try await fetch(request)
        #expect(outcome.error?.code == .connectTimeout)
        #expect(outcome.error?.message.contains("TLS was not established") == true)
        #expect(outcome.phases == [.resolving, .connecting, .securing])
    }
}

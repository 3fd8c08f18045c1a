// SPDX-License-Identifier: MIT

import CurlClient
import Testing

/// Requests that fail before a byte is sent.
struct RequestTests {
    @Test func aPortWhereNobodyListensRefuses() async throws {
        let port = try ScriptedServer.deadPort()
        let outcome = try await fetch(TransferRequest(url: "http://127.0.0.1:\(port)/live?token=secret"))
        #expect(outcome.error?.code == .refused)
        #expect(outcome.error?.message == "http://127.0.0.1:\(port)/live refused the connection")
    }

    @Test func aHostThatDoesNotExistIsUnknown() async throws {
        let outcome = try await fetch(TransferRequest(url: "http://user:pass@station.invalid/live?token=secret"))
        #expect(outcome.error?.code == .unknownHost)
        let text = outcome.error?.description ?? ""
        for secret in ["user", "pass", "token", "secret"] { #expect(!text.contains(secret)) }
        #expect(outcome.phases == [.resolving])
    }

    @Test(arguments: ["", "http://", "http://a b/", "http://127.0.0.1:99999/", "http://x/\0y", "http://x/\r\nHost: y"])
    func aURLThatMakesNoSenseIsBad(url: String) async throws {
        let outcome = try await fetch(TransferRequest(url: url))
        #expect(outcome.error?.code == .badURL)
    }

    @Test(arguments: ["file:///etc/passwd", "ftp://127.0.0.1/", "gopher://127.0.0.1/"])
    func otherSchemesAreRefused(url: String) async throws {
        let outcome = try await fetch(TransferRequest(url: url))
        #expect(outcome.error?.code == .badURL)
    }

    @Test(arguments: [
        ("X", "a\r\nY: b"), ("X", "a\0"), ("X\r\nY", "a"), ("X Y", "a"), ("", "a"), ("X:", "a"), ("X", "a\n"),
    ])
    func aHeaderFieldThatWouldBreakTheRequestIsRefused(field: (String, String)) async throws {
        var request = TransferRequest(url: "http://127.0.0.1:1/")
        request.headers = [(field.0, field.1)]
        let outcome = try await fetch(request)
        #expect(outcome.error?.code == .badHeader)
    }

    @Test func aUserAgentThatWouldBreakTheRequestIsRefused() async throws {
        let outcome = try await fetch(TransferRequest(url: "http://127.0.0.1:1/", userAgent: "a\r\nb"))
        #expect(outcome.error?.code == .badHeader)
    }

    @Test(arguments: ["http://169.254.169.254/", "http://[fe80::1]/", "http://0.0.0.0:1/", "http://239.1.2.3/"])
    func someAddressesAreNeverConnectedTo(url: String) async throws {
        let outcome = try await fetch(TransferRequest(url: url))
        #expect(outcome.error?.code == .addressForbidden)
    }

    @Test("A13: a TLS handshake that stalls runs into the deadline") func aServerThatDoesNotAcceptRunsIntoTheDeadline()
        async throws
    {
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

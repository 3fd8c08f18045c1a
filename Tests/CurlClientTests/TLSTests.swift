// SPDX-License-Identifier: MIT

import CurlClient
import Testing

struct TLSTests {
    private static func fetch(
        _ certificate: TLSServer.Certificate = .init(), arguments: [String] = [], trusted: Bool = true
    ) async throws -> Outcome {
        let server = try TLSServer(certificate, arguments: arguments)
        defer { server.stop() }
        var request = TransferRequest(url: server.url("/live?token=secret"))
        request.caFile = trusted ? server.authority : nil
        return try await CurlClientTests.fetch(request)
    }

    @Test("A station with a certificate from a trusted authority is fetched") func trusted() async throws {
        let outcome = try await Self.fetch()
        #expect(outcome.error == nil && outcome.head?.status == 200)
        #expect(outcome.phases == [.resolving, .connecting, .securing, .waitingForHead, .receiving])
    }

    @Test("A13: A certificate from an unknown authority is not trusted") func unknownAuthority() async throws {
        let outcome = try await Self.fetch(trusted: false)
        #expect(outcome.error?.code == .certificateUntrusted)
        #expect(outcome.error?.message.contains("no authority that this machine trusts") == true)
        #expect(outcome.body.isEmpty && outcome.error?.description.contains("secret") == false)
    }

    @Test("A13: An expired certificate is reported as expired") func expired() async throws {
        let outcome = try await Self.fetch(.init(until: "20210101000000Z"))
        #expect(outcome.error?.code == .certificateExpired)
        #expect(outcome.error?.message.contains("has expired") == true)
        #expect(outcome.heads.isEmpty && outcome.body.isEmpty)
    }

    @Test("A13: A certificate that is not valid yet is reported as such") func notYetValid() async throws {
        let outcome = try await Self.fetch(.init(from: "20900101000000Z"))
        #expect(outcome.error?.code == .certificateNotYetValid)
        #expect(outcome.error?.message.contains("not valid yet, or the clock here is wrong") == true)
    }

    @Test("A13: A certificate for another host is reported as such", arguments: ["DNS:other.example", "IP:127.0.0.2"])
    func wrongHost(name: String) async throws {
        let outcome = try await Self.fetch(.init(name: name))
        #expect(outcome.error?.code == .certificateWrongHost)
        #expect(outcome.error?.message.contains("is for another host") == true)
        #expect(outcome.heads.isEmpty && outcome.body.isEmpty)
    }

    @Test("TLS before 1.2 is refused") func oldTLS() async throws {
        let outcome = try await Self.fetch(arguments: ["-tls1_1", "-cipher", "DEFAULT@SECLEVEL=0"])
        #expect(outcome.error?.code == .tlsHandshake)
    }

    @Test("A server without TLS is reported as a failed handshake") func noTLS() async throws {
        let server = try ScriptedServer { connection in
            connection.send("HTTP/1.1 400 Bad Request\r\n\r\n")
            connection.waitForEnd()
        }
        defer { server.stop() }
        let outcome = try await CurlClientTests.fetch(TransferRequest(url: "https://127.0.0.1:\(server.port)/"))
        #expect(outcome.error?.code == .tlsHandshake)
    }

    @Test("A missing CA file is reported as such") func missingCAFile() async throws {
        let server = try ScriptedServer { $0.waitForEnd() }
        defer { server.stop() }
        var request = TransferRequest(url: "https://127.0.0.1:\(server.port)/")
        request.caFile = "/nonexistent/authority.pem"
        let outcome = try await CurlClientTests.fetch(request)
        #expect(outcome.error?.code == .badCAFile)
    }

    @Test("No call follows a cancellation during the TLS handshake") func cancelling() async throws {
        let server = try TLSServer()
        defer { server.stop() }
        try await Bench.with { bench in
            let outcome = await bench.fetchCancelling(TransferRequest(url: server.url()), at: .phase(.securing))
            #expect(outcome?.phases.last == .securing)
        }
    }
}

// SPDX-License-Identifier: MIT

import CurlClient
import Testing

struct RedirectTests {
    @Test func aRedirectIsFollowed() async throws {
        let server = try ScriptedServer { connection in
            let head = connection.readHead()
            if head.hasPrefix("GET /live") {
                connection.send(
                    "HTTP/1.1 302 Found\r\nLocation: /edge?token=secret\r\nX: 1\r\nContent-Length: 3\r\n\r\nno!")
            } else {
                connection.send("HTTP/1.1 200 OK\r\nY: 2\r\n\r\nyes")
            }
        }
        defer { server.stop() }
        let outcome = try await fetch(TransferRequest(url: server.url()))
        #expect(outcome.error == nil)
        #expect(outcome.head?.redirects == 1)
        #expect(outcome.head?.finalURL == server.url("/edge"))
        #expect(outcome.head?.effectiveURL == server.url("/edge?token=secret"))
        #expect(outcome.heads.count == 1)
        #expect(outcome.head?.fields.map(\.name) == ["y"])
        #expect(outcome.text == "yes")
        #expect(
            outcome.phases == [
                .resolving, .connecting, .waitingForHead, .resolving, .connecting, .waitingForHead, .receiving,
            ])
    }

    @Test func tenRedirectsAreFollowedAndElevenAreNot() async throws {
        for hops in [10, 11] {
            let server = try ScriptedServer { connection in
                _ = connection.readHead()
                if connection.number < hops {
                    connection.send(
                        "HTTP/1.1 301 Moved\r\nLocation: /\(connection.number)\r\nContent-Length: 0\r\n\r\n")
                } else {
                    connection.send("HTTP/1.1 200 OK\r\n\r\nyes")
                }
            }
            defer { server.stop() }
            let outcome = try await fetch(TransferRequest(url: server.url()))
            #expect(outcome.error?.code == (hops == 10 ? nil : .tooManyRedirects))
            #expect(outcome.heads.count == (hops == 10 ? 1 : 0))
            #expect(server.accepted == 11)
        }
    }

    @Test func aLoopEnds() async throws {
        let server = try ScriptedServer { connection in
            _ = connection.readHead()
            connection.send("HTTP/1.1 302 Found\r\nLocation: /live\r\n\r\n")
        }
        defer { server.stop() }
        let outcome = try await fetch(TransferRequest(url: server.url()))
        #expect(outcome.error?.code == .tooManyRedirects)
        #expect(server.accepted == 11)
    }

    @Test(arguments: ["file:///etc/passwd", "ftp://127.0.0.1/x", "gopher://127.0.0.1/x", "dict://127.0.0.1/x"])
    func aRedirectToAnotherSchemeIsRefused(target: String) async throws {
        let outcome = try await fetch { connection in
            _ = connection.readHead()
            connection.send("HTTP/1.1 302 Found\r\nLocation: \(target)\r\n\r\n")
        }
        #expect(outcome.error?.code == .schemeNotAllowed)
        #expect(outcome.body.isEmpty)
        #expect(outcome.heads.isEmpty)
    }

    @Test(arguments: [
        "169.254.169.254", "[fe80::1]", "224.0.0.1", "0.0.0.0", "[::]", "[::ffff:169.254.169.254]", "255.255.255.255",
        "[ff02::1]",
    ])
    func aRedirectToAnAddressThatIsNoStationsIsRefused(host: String) async throws {
        let outcome = try await fetch { connection in
            _ = connection.readHead()
            connection.send("HTTP/1.1 302 Found\r\nLocation: http://\(host)/latest/meta-data\r\n\r\n")
        }
        #expect(outcome.error?.code == .addressForbidden)
        #expect(outcome.error?.address != nil)
        #expect(outcome.heads.isEmpty)
    }

    @Test func aRedirectFromLoopbackToLoopbackIsFollowed() async throws {
        let other = try ScriptedServer { connection in
            _ = connection.readHead()
            connection.send("HTTP/1.1 200 OK\r\n\r\nyes")
        }
        defer { other.stop() }
        let outcome = try await fetch { [url = other.url()] connection in
            _ = connection.readHead()
            connection.send("HTTP/1.1 307 There\r\nLocation: \(url)\r\n\r\n")
        }
        #expect(outcome.error == nil)
        #expect(outcome.text == "yes")
    }

    @Test func aURLOfSomebodyElseMayNotReachLoopback() async throws {
        let server = try ScriptedServer { connection in
            _ = connection.readHead()
            connection.send("HTTP/1.1 200 OK\r\n\r\nsecret")
        }
        defer { server.stop() }
        var request = TransferRequest(url: server.url())
        request.allowsPrivateAddress = false
        let outcome = try await fetch(request)
        #expect(outcome.error?.code == .addressForbidden)
        #expect(outcome.error?.address == "127.0.0.1")
        #expect(server.accepted == 0)
    }

    @Test func credentialsDoNotFollowToAnotherHost() async throws {
        let other = try ScriptedServer { connection in
            let head = connection.readHead().lowercased()
            let text = head.contains("authorization:") || head.contains("x-token") ? "told" : "untold"
            connection.send("HTTP/1.1 200 OK\r\n\r\n\(text)")
        }
        defer { other.stop() }
        let server = try ScriptedServer { [url = other.url()] connection in
            let told = connection.readHead().contains("Authorization: Basic dXNlcjpwYXNz")
            connection.send("HTTP/1.1 302 \(told)\r\nLocation: \(told ? url : "/none")\r\n\r\n")
        }
        defer { server.stop() }
        let outcome = try await fetch(TransferRequest(url: server.url(user: "user:pass")))
        #expect(outcome.error == nil)
        #expect(outcome.text == "untold")
    }

    @Test func aRedirectWithoutATargetIsAHead() async throws {
        let outcome = try await fetch { connection in
            _ = connection.readHead()
            connection.send("HTTP/1.1 304 Same\r\n\r\n")
        }
        #expect(outcome.error == nil)
        #expect(outcome.head?.status == 304)
    }
}

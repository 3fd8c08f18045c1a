// SPDX-License-Identifier: MIT

import CurlClient
import Synchronization
import Testing

struct RedirectTests {
    @Test("A redirect is followed, and only the final head is delivered") func followed() async throws {
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
        #expect(outcome.error == nil && outcome.head?.redirects == 1)
        #expect(outcome.head?.finalURL == server.url("/edge"))
        #expect(outcome.head?.effectiveURL == server.url("/edge?token=secret"))
        #expect(outcome.heads.count == 1 && outcome.head?.fields.map(\.name) == ["y"])
        #expect(outcome.text == "yes")
        #expect(
            outcome.phases == [
                .resolving, .connecting, .waitingForHead, .resolving, .connecting, .waitingForHead, .receiving,
            ])
    }

    @Test("A8: Ten redirects are followed and eleven are not")
    func tenAndEleven() async throws {
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

    @Test("A8: A loop of redirects ends with an error") func loop() async throws {
        let server = try ScriptedServer(answer: "HTTP/1.1 302 Found\r\nLocation: /live\r\n\r\n")
        defer { server.stop() }
        let outcome = try await fetch(TransferRequest(url: server.url()))
        #expect(outcome.error?.code == .tooManyRedirects)
        #expect(server.accepted == 11)
    }

    @Test(
        "A8: A redirect to another scheme is refused",
        arguments: ["file:///etc/passwd", "ftp://127.0.0.1/x", "gopher://127.0.0.1/x", "dict://127.0.0.1/x"])
    func otherScheme(target: String) async throws {
        let outcome = try await fetch(answer: "HTTP/1.1 302 Found\r\nLocation: \(target)\r\n\r\n")
        #expect(outcome.error?.code == .schemeNotAllowed)
        // The message names the address that redirects.
        let message = outcome.error?.message ?? ""
        #expect(message.hasPrefix("http://127.0.0.1:") && message.contains("redirects to \(target)"), "\(message)")
        #expect(outcome.body.isEmpty && outcome.heads.isEmpty)
    }

    @Test("A30: A redirect to a scheme that players write for HTTP is followed", arguments: ["icy", "icyx", "SHOUT"])
    func playersScheme(scheme: String) async throws {
        let server = try ScriptedServer { connection in
            guard connection.readHead().hasPrefix("GET /live") else {
                return _ = connection.send("HTTP/1.1 200 OK\r\n\r\naudio")
            }
            let target = "\(scheme)://127.0.0.1:\(connection.port)/edge?token=1"
            connection.send("HTTP/1.1 302 Found\r\nLocation: \(target)\r\n\r\n")
        }
        defer { server.stop() }
        let outcome = try await fetch(TransferRequest(url: server.url()))
        #expect(outcome.error == nil && outcome.text == "audio" && outcome.head?.redirects == 1)
        #expect(outcome.head?.effectiveURL == server.url("/edge?token=1"))
    }

    @Test("A8: A circle of redirects through such a scheme ends") func playersCircle() async throws {
        let server = try ScriptedServer { connection in
            connection.answer("HTTP/1.1 302 Found\r\nLocation: icy://127.0.0.1:\(connection.port)/live\r\n\r\n")
        }
        defer { server.stop() }
        let outcome = try await fetch(TransferRequest(url: server.url()))
        #expect(outcome.error != nil && outcome.heads.isEmpty && server.accepted == 11)
    }

    @Test("A30: The failure names the address to which a redirect leads in vain") func refusedTarget() async throws {
        let outcome = try await fetch(
            answer: "HTTP/1.1 302 Found\r\nLocation: mms://radio.test/live?token=secret\r\n\r\n")
        #expect(outcome.error?.message.contains("redirects to mms://radio.test/live: only http") == true)
    }

    @Test(
        "A8: A redirect to an address that no station can have is refused",
        arguments: [
            "169.254.169.254", "[fe80::1]", "224.0.0.1", "0.0.0.0", "[::]", "[::ffff:169.254.169.254]",
            "255.255.255.255",
            "[ff02::1]",
        ])
    func forbiddenAddress(host: String) async throws {
        let outcome = try await fetch(answer: "HTTP/1.1 302 Found\r\nLocation: http://\(host)/latest/meta-data\r\n\r\n")
        #expect(outcome.error?.code == .addressForbidden && outcome.error?.address != nil)
        #expect(outcome.heads.isEmpty)
        // The phase of connecting does not occur again, so no socket was opened for the forbidden address.
        #expect(outcome.phases == [.resolving, .connecting, .waitingForHead, .resolving])
    }

    @Test("A redirect from loopback to loopback is followed") func loopbackToLoopback() async throws {
        let other = try ScriptedServer(answer: "HTTP/1.1 200 OK\r\n\r\nyes")
        defer { other.stop() }
        let outcome = try await fetch { [url = other.url()] connection in
            connection.answer("HTTP/1.1 307 There\r\nLocation: \(url)\r\n\r\n")
        }
        #expect(outcome.error == nil && outcome.text == "yes")
    }

    @Test("A8: A redirect from a public address to a private one is refused before any packet is sent there")
    func publicToPrivate() async throws {
        let inside = try ScriptedServer(answer: "HTTP/1.1 200 OK\r\n\r\nsecret")
        let outside = try ScriptedServer(host: 2) { [url = inside.url("/live?token=x")] connection in
            connection.answer("HTTP/1.1 302 Found\r\nLocation: \(url)\r\n\r\n")
        }
        defer {
            inside.stop()
            outside.stop()
        }
        // 127.0.0.2 stands for a public address.
        let outcome = try await Bench.with(reach: { $0.description == "127.0.0.2" ? .everywhere : $0.reach }) {
            await $0.fetch(TransferRequest(url: outside.url()))
        }
        #expect(outcome.error?.code == .addressForbidden)
        #expect(outcome.error?.message.contains("leads to the private address 127.0.0.1") == true)
        #expect(outcome.error?.address == "127.0.0.1")
        #expect(outside.accepted == 1 && inside.accepted == 0)
        #expect(outcome.heads.isEmpty && outcome.body.isEmpty)
    }

    @Test("A URL from an untrusted source may not reach loopback") func foreignURL() async throws {
        let server = try ScriptedServer(answer: "HTTP/1.1 200 OK\r\n\r\nsecret")
        defer { server.stop() }
        var request = TransferRequest(url: server.url())
        request.allowsPrivateAddress = false
        let outcome = try await fetch(request)
        #expect(outcome.error?.code == .addressForbidden && outcome.error?.address == "127.0.0.1")
        #expect(server.accepted == 0)
    }

    @Test("Header fields are not sent to another origin, nor back after it") func headersAndOrigins() async throws {
        let other = Mutex("")
        let stranger = try ScriptedServer { connection in
            let head = connection.readHead()
            other.withLock { $0 = head }
            connection.send("HTTP/1.1 302 Back\r\nLocation: \(Self.back(head))\r\n\r\n")
        }
        let own = Mutex([String]())
        let server = try ScriptedServer { [port = stranger.port] connection in
            let head = connection.readHead()
            own.withLock { $0.append(head) }
            switch connection.number {
            case 0: connection.send("HTTP/1.1 302 Here\r\nLocation: /second\r\n\r\n")
            case 1:
                let back = head.split(separator: "\r\n").first { $0.hasPrefix("Host: ") }?.dropFirst(6) ?? ""
                connection.send("HTTP/1.1 302 There\r\nLocation: http://127.0.0.1:\(port)/?\(back)\r\n\r\n")
            default: connection.send("HTTP/1.1 200 OK\r\n\r\nyes")
            }
        }
        defer {
            stranger.stop()
            server.stop()
        }
        var request = TransferRequest(url: server.url())
        request.headers = [("X-Token", "secret"), ("Authorization", "Bearer secret")]
        request.resumeAt = 10
        let outcome = try await fetch(request)
        #expect(outcome.error == nil && outcome.text == "yes")
        // The first server gets the fields again after its own redirect to itself. The other server never gets them,
        // and neither does the first server after a redirect from the other one.
        #expect(own.withLock { $0.map { $0.contains("X-Token: secret") } } == [true, true, false])
        let told = other.withLock { $0 }
        #expect(!told.contains("secret"))
        #expect(told.contains("Icy-MetaData: 1") && told.contains("Range: bytes=10-"))
    }

    /// The address that a request's query names.
    private static func back(_ head: String) -> String {
        "http://" + (head.split(separator: "?").dropFirst().first?.prefix { $0 != " " } ?? "")
    }

    @Test("Credentials in a redirect are used and not shown") func redirectCredentials() async throws {
        let server = try ScriptedServer { connection in
            let head = connection.readHead()
            if head.contains("Authorization: Basic dXNlcjpwYXNz") {
                connection.send("HTTP/1.1 200 OK\r\n\r\nyes")
            } else {
                let host = head.split(separator: "\r\n").first { $0.hasPrefix("Host: ") }?.dropFirst(6) ?? ""
                connection.send("HTTP/1.1 302 Here\r\nLocation: http://user:pass@\(host)/edge\r\n\r\n")
            }
        }
        defer { server.stop() }
        let outcome = try await fetch(TransferRequest(url: server.url()))
        #expect(outcome.text == "yes")
        #expect(outcome.head?.effectiveURL == server.url("/edge", user: "user:pass"))
        #expect(outcome.head?.finalURL == server.url("/edge"))
    }

    @Test("Credentials and fields are not sent to another host") func urlCredentials() async throws {
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
        #expect(outcome.error == nil && outcome.text == "untold")
    }

    @Test("Open fields of a request are sent to another host, and its other fields are not")
    func openFieldsFollowToAnotherHost() async throws {
        let other = try ScriptedServer { connection in
            let head = connection.readHead().lowercased()
            let told = ["via: 1.1 me", "x-token: secret"].filter { head.contains($0) }
            connection.send("HTTP/1.1 200 OK\r\n\r\n\(told)")
        }
        defer { other.stop() }
        let server = try ScriptedServer { [url = other.url()] connection in
            let head = connection.readHead().lowercased()
            let hasAll = head.contains("via: 1.1 me") && head.contains("x-token: secret")
            connection.send("HTTP/1.1 302 Found\r\nLocation: \(hasAll ? url : "/none")\r\n\r\n")
        }
        defer { server.stop() }
        var request = TransferRequest(url: server.url())
        request.headers = [("X-Token", "secret")]
        request.openHeaders = [("Via", "1.1 me")]
        let outcome = try await fetch(request)
        #expect(outcome.text == #"["via: 1.1 me"]"#)
    }

    @Test("A redirect status without a target is delivered as a head") func noTarget() async throws {
        let outcome = try await fetch(answer: "HTTP/1.1 304 Same\r\n\r\n")
        #expect(outcome.error == nil && outcome.head?.status == 304)
    }
}

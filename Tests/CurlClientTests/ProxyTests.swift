// SPDX-License-Identifier: MIT

import CurlClient
import Synchronization
import Testing

/// Transfers through a proxy that the test plays. The names of the hosts are not looked up.
struct ProxyTests {
    private static let audio = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\naudio"

    /// A proxy that answers each request by its target.
    private final class Proxy: Sendable {
        let server: ScriptedServer
        private let told: Mailbox
        private final class Mailbox: Sendable { let heads = Mutex<[String]>([]) }

        init(_ answer: @escaping @Sendable (String) -> String) throws {
            let told = Mailbox()
            server = try ScriptedServer { connection in
                let head = connection.readHead()
                told.heads.withLock { $0.append(head) }
                connection.send(answer(String(head.split(separator: " ").dropFirst().first ?? "")))
            }
            self.told = told
        }

        var requests: [String] { told.heads.withLock { $0 } }

        func fetch(_ url: String, user: String = "", scheme: String = "http") async throws -> Outcome {
            var request = TransferRequest(url: url)
            request.proxy = try ProxyAddress(parsing: "\(scheme)://\(user)127.0.0.1:\(server.port)")
            return try await CurlClientTests.fetch(request)
        }
    }

    @Test("The proxy is asked for the whole URL, and gets its own user and password")
    func absolute() async throws {
        let proxy = try Proxy { _ in Self.audio }
        let outcome = try await proxy.fetch("http://radio.example/live?a=b", user: "me:secret@")
        #expect(outcome.text == "audio" && outcome.error == nil)
        let head = try #require(proxy.requests.first)
        #expect(head.hasPrefix("GET http://radio.example/live?a=b HTTP/1.1\r\n"))
        #expect(head.contains("Proxy-Authorization: Basic bWU6c2VjcmV0\r\n"), "\(head)")
        #expect(outcome.head?.peerAddress == "" && outcome.head?.isPeerPrivate == false)
    }

    @Test(
        "A redirect into the private network is refused before the proxy is asked, if its URL says so",
        arguments: [
            "http://192.168.1.1/", "http://127.0.0.1:80/", "http://localhost/", "https://localhost/", "http://[::1]/",
            "http://169.254.169.254/", "http://0x7f.1/", "http://radio.localhost./",
        ])
    func redirects(target: String) async throws {
        let proxy = try Proxy { _ in "HTTP/1.1 302 Found\r\nLocation: \(target)\r\nContent-Length: 0\r\n\r\n" }
        let outcome = try await proxy.fetch("http://radio.example/live")
        #expect(outcome.error?.code == .addressForbidden, "\(String(describing: outcome.error))")
        #expect(proxy.requests.count == 1)
    }

    @Test("A private address that the user named is asked for, and may lead to another one")
    func nearby() async throws {
        let proxy = try Proxy { target in
            target == "http://192.168.1.2/b"
                ? Self.audio
                : "HTTP/1.1 302 Found\r\nLocation: http://192.168.1.2/b\r\nContent-Length: 0\r\n\r\n"
        }
        let outcome = try await proxy.fetch("http://192.168.1.1/a")
        #expect(outcome.text == "audio" && outcome.head?.isPeerPrivate == true)
        let link = try await proxy.fetch("http://169.254.1.1/a")
        #expect(link.error?.code == .addressForbidden)
    }

    @Test(
        "What the proxy refuses is its fault, and not the station's",
        arguments: [
            ("407 Proxy Authentication Required", TransferError.Code.proxyLogin), ("502 Bad Gateway", .proxyRefusal),
        ])
    func refusals(status: String, code: TransferError.Code) async throws {
        let proxy = try Proxy { _ in "HTTP/1.1 \(status)\r\nContent-Length: 0\r\n\r\n" }
        let outcome = try await proxy.fetch("https://radio.example/live", user: "me:secret@")
        let error = try #require(outcome.error)
        #expect(error.code == code && error.isOfProxy, "\(error)")
        #expect(error.message.contains("the proxy http://127.0.0.1:\(proxy.server.port)"), "\(error)")
        #expect(!"\(error)".contains("secret"))
        #expect(proxy.requests.first?.hasPrefix("CONNECT radio.example:443 ") == true && outcome.heads.isEmpty)
    }

    @Test("An error behind a proxy names the proxy, which may have caused it", arguments: ["", "junk\r\n\r\n"])
    func errorsBehind(answer: String) async throws {
        let proxy = try Proxy { _ in answer }
        let error = try #require(try await proxy.fetch("http://radio.example/live").error)
        #expect(!error.isOfProxy, "\(error)")
        #expect(
            error.message.contains("http://radio.example/live through the proxy http://127.0.0.1:\(proxy.server.port)"),
            "\(error)")
    }

    @Test("A proxy that cannot be reached, or speaks another language, is named", arguments: ["http", "socks5h"])
    func unreachable(scheme: String) async throws {
        var request = TransferRequest(url: "http://radio.example/live")
        request.proxy = try ProxyAddress(parsing: "\(scheme)://127.0.0.1:\(try ScriptedServer.deadPort())")
        let error = try #require(try await fetch(request).error)
        #expect(error.code == .refused && error.isOfProxy && error.message.contains("the proxy"), "\(error)")
        let proxy = try ScriptedServer { $0.send("\u{5}\u{ff}") }
        request.proxy = try ProxyAddress(parsing: "socks5h://127.0.0.1:\(proxy.port)")
        let refusal = try #require(try await fetch(request).error)
        #expect(refusal.isOfProxy && refusal.message.contains("the proxy"), "\(refusal)")
    }

    @Test(
        "The address of a proxy needs a known scheme, a host and a port",
        arguments: [
            ("http://a.example:3128", nil), ("a.example:3128", nil), ("socks5h://me:pw@[::1]:1080/", nil),
            ("https://a.example:443", nil), ("ftp://a.example:21", .scheme), ("http://a.example", .port),
            ("http://a.example:0", .port), ("http://:80", .host), ("http://a b:80", .host), ("http://a:80/x", .host),
            ("http://me:p@w@a:80", .unescapedAt),
        ] as [(String, ProxyAddress.ParseError?)])
    func addresses(text: String, fault: ProxyAddress.ParseError?) {
        do throws(ProxyAddress.ParseError) {
            let proxy = try ProxyAddress(parsing: text)
            var dumped = ""
            dump(proxy, to: &dumped)
            #expect(fault == nil && !"\(proxy) \(dumped)".contains("pw"))
        } catch {
            #expect(error == fault)
        }
    }
}

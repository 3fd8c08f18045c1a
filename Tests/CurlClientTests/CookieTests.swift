// SPDX-License-Identifier: MIT

import Synchronization
import Testing

@testable import CurlClient

/// Cookies, which some stations demand back before they send audio.
struct CookieTests {
    /// A gate: without the cookie, it sends the listener to a page that sets it.
    private static func gate(_ connection: ScriptedServer.Connection) {
        let head = connection.readHead()
        if head.hasPrefix("GET /gate") {
            connection.send("HTTP/1.1 302 Found\r\nSet-Cookie: pass=open; Path=/\r\nLocation: /live\r\n\r\n")
        } else if head.contains("pass=open") {
            connection.send("HTTP/1.1 200 OK\r\nSet-Cookie: seen=1\r\n\r\naudio")
        } else {
            connection.send("HTTP/1.1 302 Found\r\nLocation: /gate\r\n\r\n")
        }
    }

    @Test("A28: A redirect's cookie is sent back, and the next request of the station brings it at once")
    func sentBack() async throws {
        let server = try ScriptedServer(Self.gate)
        defer { server.stop() }
        let first = try await fetch(TransferRequest(url: server.url()))
        #expect(first.text == "audio" && server.accepted == 3)
        var request = TransferRequest(url: server.url())
        request.cookies = first.head?.cookies ?? []
        let second = try await fetch(request)
        #expect(second.text == "audio" && second.head?.redirects == 0 && server.accepted == 4)
        #expect(second.head?.cookies.count == 2)
        // Another station starts without them.
        let other = try await fetch(TransferRequest(url: server.url()))
        #expect(other.head?.redirects == 2)
    }

    @Test(
        "A28: A cookie that its server deletes is not sent again",
        arguments: ["Max-Age=0", "Expires=Thu, 01 Jan 1970 00:00:00 GMT"])
    func deleted(how: String) async throws {
        let server = try ScriptedServer { connection in
            let isFirst = !connection.readHead().contains("pass=open")
            connection.send("HTTP/1.1 200 OK\r\nSet-Cookie: pass=open\(isFirst ? "" : "; \(how)")\r\n\r\naudio")
        }
        defer { server.stop() }
        var request = TransferRequest(url: server.url())
        var counts: [Int] = []
        for _ in 0..<3 {
            let head = try #require(try await fetch(request).head)
            request.cookies = CookieLines.merged(request.cookies, sent: request.cookies, head.cookies)
            counts.append(request.cookies.count)
        }
        #expect(counts == [1, 0, 1])
    }

    @Test("A28: A plain request brings the cookies that curl would bring") func plain() async throws {
        let server = try ScriptedServer { connection in
            let head = connection.readHead()
            if head.contains("pass=open") {
                connection.send("ICY  200 OK\r\n\r\naudio")
            } else {
                let cookies = ["pass=open", "page=1; Path=/other", "safe=1; Secure", "hidden=2; HttpOnly"]
                let fields = cookies.map { "Set-Cookie: \($0)\r\n" }.joined()
                connection.send("HTTP/1.1 302 Found\r\n\(fields)Location: /live\r\n\r\n")
            }
        }
        defer { server.stop() }
        let outcome = try await fetch(TransferRequest(url: server.url()))
        #expect(outcome.text == "audio" && server.accepted == 3)
        let lines = outcome.head?.cookies ?? []
        let wider = ["no cookie", ".b.test\tTRUE\t/a\tFALSE\t0\tx\t1"]
        let field = CookieLines.field(lines, host: "127.0.0.1", path: "/live", isSecure: false)
        #expect(field.map { Set($0.split(separator: "; ")) } == ["pass=open", "hidden=2"])
        #expect(CookieLines.field(lines, host: "127.0.0.2", path: "/live", isSecure: true) == nil)
        #expect(
            CookieLines.field(wider, host: "a.b.test", path: "/a/b", isSecure: false)
                == "x=1")
    }

    @Test("A28: Another site gets no cookie") func otherSite() async throws {
        let heads = Mutex([String]())
        let other = try ScriptedServer(host: 2) { connection in
            let head = connection.readHead()
            heads.withLock { $0.append(head) }
            connection.send("HTTP/1.1 200 OK\r\n\r\naudio")
        }
        defer { other.stop() }
        let target = other.url()
        let outcome = try await fetch { connection in
            _ = connection.readHead()
            let fields = "Set-Cookie: a=1\r\nSet-Cookie: b=2; Domain=127.0.0.2\r\nLocation: \(target)\r\n"
            connection.send("HTTP/1.1 302 Found\r\n\(fields)\r\n")
        }
        #expect(outcome.text == "audio")
        var request = TransferRequest(url: target)
        request.cookies = outcome.head?.cookies ?? []
        #expect(request.cookies.count == 1)
        _ = try await fetch(request)
        let seen = heads.withLock { $0 }
        #expect(seen.count == 2 && seen.allSatisfy { !$0.lowercased().contains("cookie") })
    }

    @Test("A28: A server cannot fill memory with cookies") func bounded() async throws {
        var request = TransferRequest(url: "")
        let number = Mutex(0)
        let server = try ScriptedServer { connection in
            _ = connection.readHead()
            let first = number.withLock { value in
                defer { value += 50 }
                return value
            }
            let value = String(repeating: "v", count: 200)
            let fields = (first..<first + 50).map { "Set-Cookie: c\($0)=\(value)\r\n" }.joined()
            connection.send("HTTP/1.1 200 OK\r\n\(fields)\r\n")
        }
        defer { server.stop() }
        request.url = server.url()
        for _ in 0..<4 { request.cookies = try await fetch(request).head?.cookies ?? [] }
        #expect((1...50).contains(request.cookies.count))
        #expect(request.cookies.reduce(0) { $0 + $1.utf8.count } <= 16 * 1024)
    }
}

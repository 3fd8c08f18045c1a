// SPDX-License-Identifier: MIT

import EventLoop
import Glibc
import HTTPServer
import TestSupport
import Testing

/// A server with real sockets on loopback and in virtual time.
@Suite struct HTTPServiceTests {
    private let site: Site

    init() throws { site = try Site() }

    @Test("A route is answered") func route() throws {
        let client = site.ask("GET /hello HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(client.text.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(client.text.contains("\r\nContent-Length: 6\r\n"))
        #expect(client.text.contains("\r\nConnection: close\r\n"))
        #expect(client.text.contains("\r\nDate: Thu, 01 Jan 2026 00:00:00 GMT\r\n"))
        #expect(String(decoding: client.body, as: UTF8.self) == "hello\n")
        #expect(client.end == .closed)
    }

    @Test("The answer has the HTTP version of the client") func versionOfClient() throws {
        #expect(site.ask("GET /hello HTTP/1.0\r\n\r\n").text.hasPrefix("HTTP/1.0 200 OK\r\n"))
    }

    @Test("HEAD is answered without a body") func headMethod() throws {
        let client = site.ask("HEAD /hello HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(client.text.contains("\r\nContent-Length: 6\r\n") && client.body.isEmpty)
    }

    @Test("A request with a body is refused at its head, and the client gets the answer while it still sends")
    func refusesBodies() throws {
        let request = "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello"
        #expect(site.ask(request).status == 413)
        let client = site.reactor.connect(port: site.port)
        for byte in request.utf8 {
            client.send([byte])
            site.reactor.drain()
        }
        site.reactor.pump { client.collect().end != nil }
        #expect(client.status == 413 && client.end == .closed)
        #expect(site.ask("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n").status == 200)
    }

    @Test(
        "A request without a route or permission is answered with its status",
        arguments: [
            ("GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n", "404"),
            ("GET /hello/ HTTP/1.1\r\nHost: x\r\n\r\n", "404"),
            ("DELETE /hello HTTP/1.1\r\nHost: x\r\n\r\n", "405"),
            ("OPTIONS /hello HTTP/1.1\r\nHost: x\r\n\r\n", "204"),
            ("OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n", "204"),
            ("GET /elsewhere HTTP/1.1\r\nHost: x\r\n\r\n", "403"),
            ("GET /%2e%2e/etc/passwd HTTP/1.1\r\nHost: x\r\n\r\n", "400"),
            ("nonsense\r\n", "400"),
        ])
    func noRoute(_ request: String, _ status: String) throws {
        #expect(site.ask(request).text.dropFirst(9).hasPrefix(status))
    }

    @Test("An error is answered even while the client still sends") func answerWhileSending() throws {
        let client = site.reactor.connect(port: site.port)
        client.send("GET / HTTP/1.1\r\n")
        for _ in 0..<16 {
            client.send(Array(repeating: UInt8(ascii: "a"), count: 64 * 1024))
            site.reactor.drain()
        }
        client.finishSending()
        site.reactor.pump { client.collect().end != nil }
        #expect(client.text.hasPrefix("HTTP/1.0 431 ") && client.end == .closed)
    }

    @Test("A client that drips its head is closed ten seconds after the accept") func drippedHead() throws {
        let client = site.reactor.connect(port: site.port)
        for _ in 0..<9 {
            client.send("G")
            site.reactor.drain()
            site.reactor.advance(by: .seconds(1))
        }
        #expect(site.service.connectionCount == 1)
        site.reactor.advance(by: .seconds(2))
        #expect(site.service.connectionCount == 0)
        site.reactor.pump { client.collect().end != nil }
        #expect(client.text.hasPrefix("HTTP/1.0 408 "))
    }

    @Test("A client that sends nothing is closed") func silentClient() throws {
        let client = site.reactor.connect(port: site.port)
        site.reactor.pump { site.service.connectionCount == 1 }
        site.reactor.advance(by: .seconds(10))
        site.reactor.pump { client.collect().end != nil }
        #expect(client.received.isEmpty)
    }

    @Test("A request that its handler does not answer is answered with 503") func silentHandler() throws {
        let client = site.reactor.connect(port: site.port)
        client.send("GET /silent HTTP/1.1\r\nHost: x\r\n\r\n")
        site.reactor.pump { site.kept != nil }
        site.reactor.advance(by: .seconds(20))
        site.reactor.pump { client.collect().end != nil }
        #expect(client.text.hasPrefix("HTTP/1.1 503 "))
        site.kept?.respond(HTTPResponse(.ok))
        #expect(site.kept?.takeOver() == nil)
    }

    @Test("The end of a waiting client is reported once on request, and never after the answer")
    func tellsThatAClientHasGone() throws {
        for isAnswered in [false, true] {
            let client = site.reactor.connect(port: site.port)
            client.send("GET /silent HTTP/1.1\r\nHost: x\r\n\r\n")
            site.kept = nil
            site.reactor.pump { site.kept != nil }
            let exchange = try #require(site.kept)
            var ends = 0
            exchange.whenClientCloses { ends += 1 }
            client.send("more than it was asked for")
            site.reactor.drain()
            #expect(ends == 0 && site.service.connectionCount == 1)
            if isAnswered { exchange.respond(HTTPResponse(.ok)) }
            client.close()
            site.reactor.pump { site.service.connectionCount == 0 }
            #expect(ends == (isAnswered ? 0 : 1))
            exchange.respond(HTTPResponse(.ok))
            #expect(exchange.takeOver() == nil)
        }
    }

    @Test("A stream takes over its socket, which is counted until it is closed") func takenOverSocket() throws {
        let client = site.reactor.connect(port: site.port)
        client.send("GET /silent HTTP/1.1\r\nHost: x\r\n\r\n")
        site.reactor.pump { site.kept != nil }
        let socket = try #require(site.kept?.takeOver())
        site.reactor.advance(by: .seconds(60))
        #expect(socket.isOpen)
        #expect(site.service.connectionCount == 1)
        #expect(Array("abc".utf8).withUnsafeBytes { socket.send($0) } == .wrote(3))
        socket.close()
        site.reactor.pump { client.collect().end != nil }
        #expect(client.text == "abc")
        #expect(site.service.connectionCount == 0)
    }

    @Test("Connections beyond the limit are refused, and later ones accepted again") func tooManyConnections() throws {
        let site = try Site { $0.connections = 2 }
        let held = (0..<2).map { _ in site.reactor.connect(port: site.port) }
        site.reactor.pump { site.service.connectionCount == 2 }
        let refused = site.ask("GET /hello HTTP/1.0\r\n\r\n")
        #expect(refused.text.hasPrefix("HTTP/1.0 503 ") && refused.text.contains("Retry-After"))
        held[0].reset()
        held[1].close()
        site.reactor.pump { site.service.connectionCount == 0 }
        #expect(site.ask("GET /hello HTTP/1.0\r\n\r\n").text.hasPrefix("HTTP/1.0 200 "))
    }

    @Test("The server answers on IPv6") func ipv6() throws {
        let site = try Site(address: "[::1]:0")
        let client = site.reactor.connect(port: site.port, isIPv6: true)
        client.send("GET /hello HTTP/1.0\r\n\r\n")
        site.reactor.pump { client.collect().end != nil }
        #expect(client.text.hasPrefix("HTTP/1.0 200 "))
    }

    @Test("A listening error names the address and the reason") func cannotListen() throws {
        let taken = try #require(SocketAddress("127.0.0.1:\(site.port)"))
        let other = HTTPService(reactor: site.reactor)
        let error = #expect(throws: ListenError.self) { try other.listen(taken) }
        #expect(error?.number == EADDRINUSE)
        #expect(error?.description.contains("127.0.0.1:\(site.port)") == true)
    }

    @Test("A hundred clients at once are all answered") func aHundredClients() throws {
        let clients = (0..<100).map { _ in site.reactor.connect(port: site.port) }
        for client in clients { client.send("GET /hello HTTP/1.0\r\n\r\n") }
        site.reactor.pump { clients.allSatisfy { $0.collect().end != nil } }
        #expect(clients.allSatisfy { $0.text.hasPrefix("HTTP/1.0 200 ") })
    }
}

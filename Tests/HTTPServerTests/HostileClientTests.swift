// SPDX-License-Identifier: MIT

import HTTPServer
import TestSupport
import Testing

/// Clients that are slow, rude, or do not speak HTTP.
@Suite struct HostileClientTests {
    private let site: Site

    init() throws { site = try Site() }

    @Test("F1: A thousand clients that drip their heads are closed after ten seconds, and delay nobody")
    func slowHeads() throws {
        let slow = (0..<1000).map { _ in site.reactor.connect(port: site.port) }
        site.reactor.pump { site.service.connectionCount == slow.count }
        for second in 0..<9 {
            for client in slow { client.send(second == 0 ? "GET / HTTP/1.0\r\nX: " : "a") }
            site.reactor.drain()
            // The answer comes although no virtual time passes.
            #expect(site.get("/hello").status == 200)
            site.reactor.advance(by: .seconds(1))
        }
        #expect(site.service.connectionCount >= slow.count)
        site.reactor.advance(by: .seconds(1))
        site.reactor.pump { site.service.connectionCount == 0 }
        #expect(site.service.connectionCount == 0)
        #expect(slow.allSatisfy { $0.collect().status == 408 })
    }

    @Test("F1: A request of a byte a second ends at its deadline, and one with a body at its head")
    func slowRequests() throws {
        let clients = [
            "GET /hello HTTP/1.1\r\nHost: x\r\n", "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 60\r\n\r\n",
        ].map { request in
            let client = site.reactor.connect(port: site.port)
            client.send(request)
            return client
        }
        for _ in 0..<10 {
            site.reactor.drain()
            for client in clients { client.send("a") }
            site.reactor.advance(by: .seconds(1))
        }
        site.reactor.pump { clients.allSatisfy { $0.collect().end != nil } }
        #expect(clients.map(\.status) == [408, 413])
        #expect(site.service.connectionCount == 0)
    }

    @Test("F1: A client that does not read its answer, or sends more after it, is closed")
    func slowReaders() throws {
        let much = [UInt8](repeating: 65, count: 4 << 20)
        site.service.router.add("/much", [.get]) { $0.respond(HTTPResponse(.ok, body: much)) }
        let silent = site.reactor.connect(port: site.port, receiveBuffer: 8192)
        silent.send("GET /much HTTP/1.0\r\n\r\n")
        let talker = site.reactor.connect(port: site.port)
        talker.send("GET /hello HTTP/1.0\r\n\r\n")
        site.reactor.drain()
        for _ in 0..<16 {
            talker.send("more")
            site.reactor.drain()
            site.reactor.advance(by: .seconds(1))
        }
        #expect(site.service.connectionCount == 0)
        #expect(talker.collect().status == 200)
    }

    @Test("F3: When streams fill the server, pages are answered and streams are told to retry")
    func pagesBesideStreams() throws {
        let site = try Site { $0.connections = 40 }
        let listeners = (0..<24).map { _ in site.listen() }
        #expect(listeners.allSatisfy { $0.status == 200 })
        #expect(site.service.streamCount == 24)
        for _ in 0..<3 {
            let refused = site.get("/stream")
            #expect(refused.status == 503 && refused.field("Retry-After") == "10")
            #expect(refused.field("Access-Control-Allow-Origin") == "*")
            #expect(site.get("/hello").status == 200)
        }
        // Refused clients do not count as connections, even if they stay connected.
        let patient = (0..<50).map { _ in site.listen() }
        #expect(patient.allSatisfy { $0.status == 503 })
        #expect(site.service.connectionCount == 24 && site.get("/hello").status == 200)
        listeners[0].close()
        site.closeStreams()
        #expect(site.service.streamCount == 0 && site.listen().status == 200)
    }

    @Test("F3: Behind a trusted proxy each client has its own limits, and other senders' fields are ignored")
    func limitsBehindAProxy() throws {
        var limits = HTTPLimits()
        limits.streamsPerAddress = 1
        limits.connectRate = RateLimit(burst: 5, interval: .seconds(3))
        limits.trustedProxies = IPNetwork.loopback
        let site = try Site(limits: limits)
        let one = "X-Forwarded-For: 203.0.113.1\r\n"
        let held = site.reactor.connect(port: site.port)
        held.send("GET /stream HTTP/1.0\r\n\(one)\r\n")
        site.reactor.pump { site.service.streamCount == 1 }
        let refused = site.get("/stream", one)
        #expect((refused.status, refused.field("Retry-After")) == (503, "10"))
        #expect(refused.text.contains("too many listeners at your address"))
        // A browser cannot read why its stream was refused, but its page may ask.
        #expect(site.get("/stream", one, method: "HEAD").status == 503)
        // Somebody who listens can still see the page.
        #expect(site.get("/hello", one).status == 200)
        #expect(site.get("/hello", "X-Forwarded-For: 203.0.113.2\r\n").status == 200)
        site.closeStreams()
        #expect(site.get("/hello", one).status == 200)
        let often = site.get("/hello", one)
        #expect((often.status, often.field("Retry-After")) == (429, "3"))
        site.reactor.advance(by: .seconds(3))
        #expect(site.get("/hello", one).status == 200)
        // All clients that the proxy does not name share the limits of one client.
        let unnamed = (0..<6).map { _ in site.get("/hello", "X-Forwarded-For: unknown\r\n").status }
        #expect(unnamed == [200, 200, 200, 200, 200, 429])
        // The limits of unnamed clients do not apply to the proxy itself or to this machine.
        #expect((0..<5).allSatisfy { _ in site.get("/hello").status == 200 })
    }

    @Test(
        "F4: Each kind of bad request is refused with its status",
        arguments: [
            ("", nil), ("\r\n\r\n\r\n", 400), ("GET /hello\r\n\r\n", 400), ("GET /hello HTTP/0.9\r\n\r\n", 400),
            ("GET /hello HTTP/2.0\r\n\r\n", 400), ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400),
            ("\u{16}\u{3}\u{1}\u{2}\0\u{1}\0", 400), ("\u{80}\u{80}", 400), ("\0", 400),
            ("GET /%00 HTTP/1.0\r\n\r\n", 400), ("GET /../etc/passwd HTTP/1.0\r\n\r\n", 400),
            ("GET /%2e%2e/etc/passwd HTTP/1.0\r\n\r\n", 400), ("GET /a/%2e%2e%2fhello HTTP/1.0\r\n\r\n", 400),
            ("GET //hello HTTP/1.0\r\n\r\n", 404), ("GET /etc/passwd HTTP/1.0\r\n\r\n", 404),
            ("GET http://evil.example/hello HTTP/1.1\r\nHost: x\r\n\r\n", 400),
            ("GET http://x/hello HTTP/1.1\r\nHost: x\r\n\r\n", 200), ("GET hello HTTP/1.0\r\n\r\n", 400),
            ("CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n", 405), ("SOURCE /stream HTTP/1.0\r\n\r\n", 501),
            ("GET /hello HTTP/1.1\r\n\r\n", 400), ("GET /hello HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n", 400),
            ("POST /echo HTTP/1.0\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", 400),
            ("POST /echo HTTP/1.0\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
            ("POST /echo HTTP/1.0\r\nContent-Length: 1\r\n\r\n", 413),
            ("POST /echo HTTP/1.0\r\nContent-Length: -1\r\n\r\n", 400),
        ] as [(String, Int?)])
    func hostileHeads(_ request: String, _ status: Int?) throws {
        let client = site.reactor.connect(port: site.port)
        client.send(request)
        client.finishSending()
        site.reactor.pump { client.collect().end != nil }
        #expect(client.status == status && client.end == .closed)
        site.reactor.pump { site.service.connectionCount == 0 }
        #expect(site.service.connectionCount == 0)
    }

    @Test("F4: The limits of request line, fields and head apply to the byte on a connection")
    func limitsToTheByte() throws {
        let line = "GET /hello? HTTP/1.0".utf8.count
        let head = "GET /hello HTTP/1.0\r\nX: \r\n\r\n".utf8.count
        for (excess, statuses) in [(0, [200, 200, 200]), (1, [414, 431, 431])] {
            let a = { (count: Int) in String(repeating: "a", count: count + excess) }
            #expect(site.ask("GET /hello?\(a(4096 - line)) HTTP/1.0\r\n\r\n").status == statuses[0])
            let fields = String(repeating: "X: y\r\n", count: 64 + excess)
            #expect(site.ask("GET /hello HTTP/1.0\r\n\(fields)\r\n").status == statuses[1])
            #expect(site.ask("GET /hello HTTP/1.0\r\nX: \(a(16384 - head))\r\n\r\n").status == statuses[2])
        }
    }

    @Test("F6: Clients that reset, close one half or send nothing leave nothing behind")
    func rudeEnds() throws {
        for round in 0..<300 {
            let client = site.reactor.connect(port: site.port)
            switch round % 6 {
            case 0: client.reset()
            case 1: client.close()
            case 2:
                client.send("GET /hello HTTP/1.0\r\n\r\n")
                client.reset()
            case 3:
                client.send("GET /hel")
                client.close()
            case 4:
                client.send("GET /hello HTTP/1.0\r\n\r\n")
                client.finishSending()
                site.reactor.pump { client.collect().end != nil }
                #expect(client.status == 200)
            default:
                client.send("GET /stream HTTP/1.0\r\n\r\n")
                site.reactor.drain()
                client.reset()
            }
            site.reactor.drain()
        }
        // The connections of streams are left, because the owner of a stream closes its socket.
        site.reactor.pump { site.service.connectionCount == site.streams.count }
        #expect(site.service.connectionCount == site.streams.count)
        site.closeStreams()
        #expect(site.service.connectionCount == 0)
    }

    @Test(
        "F10: Ranges are ignored where none are offered, and pipelined requests get one answer", arguments: ["0", "1"])
    func oneRequestEach(_ version: String) throws {
        let request = "GET /hello HTTP/1.\(version)\r\nHost: x\r\nConnection: keep-alive\r\nRange: bytes=2-3\r\n\r\n"
        let client = site.ask(request + request + "GET /nonsense\r\n\r\n")
        #expect(client.status == 200 && client.text.hasPrefix("HTTP/1.\(version) "))
        #expect(client.field("Connection") == "close")
        #expect(String(decoding: client.body, as: UTF8.self) == "hello\n")
        #expect(client.end == .closed)
        let head = site.ask("HEAD /hello HTTP/1.\(version)\r\nHost: x\r\n\r\n")
        #expect((head.status, head.field("Content-Length"), head.body) == (200, "6", []))
        let stream = site.ask("HEAD /stream HTTP/1.\(version)\r\nHost: x\r\nRange: bytes=0-\r\n\r\n")
        #expect((stream.status, stream.field("Content-Length")) == (200, nil))
    }
}

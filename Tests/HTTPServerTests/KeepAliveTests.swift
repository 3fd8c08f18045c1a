// SPDX-License-Identifier: MIT

import EventLoop
import HTTPServer
import Instants
import TestSupport
import Testing

/// Connections that carry more than one request.
@Suite struct KeepAliveTests {
    private let site: Site

    init() throws { site = try Site() }

    @Test(
        "A connection is kept alive as the client's version and Connection field say",
        arguments: [
            (1, "", true), (1, "keep-alive", true), (1, "Keep-Alive, TE", true), (1, "close", false),
            (1, "TE , CLOSE", false), (1, "close, keep-alive", false), (1, "closed", true), (0, "", false),
            (0, "keep-alive", true), (0, "x,Keep-Alive", true), (0, "keep-alive, close", false),
        ])
    func versions(_ version: Int, _ options: String, _ isKept: Bool) throws {
        let talk = Conversation(site)
        let field = options.isEmpty ? "" : "Connection: \(options)\r\n"
        let answer = talk.ask("GET /hello HTTP/1.\(version)\r\nHost: x\r\n\(field)\r\n")
        #expect(answer?.status == 200 && answer?.fields["connection"] == (isKept ? "keep-alive" : "close"))
        if isKept {
            #expect(talk.get("/hello", "Connection: close\r\n")?.body == Array("hello\n".utf8))
        }
        #expect(talk.isClosedByServer)
    }

    @Test("All answers keep the connection alive, except those of the parser") func answersThatKeep() throws {
        let talk = Conversation(site)
        site.service.router.add("/file", [.get, .head]) {
            $0.respond(with: HTTPRepresentation(.bytes(Array("0123456789".utf8)), entityTag: HTTPEntityTag("a")))
        }
        #expect(talk.get("/file")?.status == 200)
        #expect(talk.get("/file", "Range: bytes=2-3\r\n")?.body == Array("23".utf8))
        #expect(talk.get("/file", "Range: bytes=20-\r\n")?.status == 416)
        #expect(talk.get("/file", "If-None-Match: *\r\n")?.status == 304)
        #expect(talk.ask("HEAD /file HTTP/1.1\r\nHost: x\r\n\r\n")?.fields["content-length"] == "10")
        #expect(talk.get("/file", "If-Match: \"b\"\r\n")?.status == 412)
        #expect(talk.get("/nothing")?.status == 404)
        #expect(talk.ask("OPTIONS /file HTTP/1.1\r\nHost: x\r\n\r\n")?.status == 204)
        #expect(talk.ask("DELETE /file HTTP/1.1\r\nHost: x\r\n\r\n")?.status == 405)
        #expect(talk.ask("POST /change HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n")?.status == 200)
        #expect(talk.get("/secret")?.status == 401)
        #expect(site.service.connectionCount == 1)
        #expect(talk.get("/%00")?.status == 400 && talk.isClosedByServer)
    }

    @Test(
        "F19: Bytes sent after a request and before its answer are ignored and close the connection",
        arguments: ["POST /change HTTP/1.1\r\nHost: x\r\n\r\n", "\r\n", "G", "\n", "\0"])
    func surplus(_ more: String) throws {
        let request = "GET /hello HTTP/1.1\r\nHost: x\r\n\r\n"
        // The bytes arrive with the request, at any place in a connection.
        for before in 0..<2 {
            let talk = Conversation(site)
            for _ in 0..<before { #expect(talk.get("/hello")?.fields["connection"] == "keep-alive") }
            #expect(talk.ask(request + more)?.fields["connection"] == "close" && talk.isClosedByServer)
        }
        // The bytes arrive while the handler has not answered yet.
        for isWatched in [false, true] {
            let waiting = Conversation(site)
            site.kept = nil
            waiting.client.send("GET /silent HTTP/1.1\r\nHost: x\r\n\r\n")
            site.reactor.pump { site.kept != nil }
            if isWatched { site.kept?.whenClientCloses {} }
            waiting.client.send(more)
            site.reactor.drain()
            site.kept?.respond(HTTPResponse(.ok))
            #expect(waiting.answer()?.fields["connection"] == "close" && waiting.isClosedByServer)
        }
        // The bytes arrive while the answer is being sent.
        site.service.router.add("/much", [.get]) {
            $0.respond(HTTPResponse(.ok, body: [UInt8](repeating: 65, count: 4 << 20)))
        }
        let slow = Conversation(site.reactor.connect(port: site.port, receiveBuffer: 8192), site.reactor)
        slow.client.send("GET /much HTTP/1.1\r\nHost: x\r\n\r\n")
        site.reactor.drain()
        slow.client.send(more)
        #expect(slow.answer()?.body.count == 4 << 20 && slow.isClosedByServer)
        #expect(site.changes == 0)
    }

    @Test(
        "F19: A head that other parsers may end elsewhere is answered, and the connection is closed",
        arguments: [
            "\r\nGET /hello HTTP/1.1\r\nHost: x\r\n\r\n", "\nGET /hello HTTP/1.1\r\nHost: x\r\n\r\n",
            "GET /hello HTTP/1.1\nHost: x\r\n\r\n", "GET /hello HTTP/1.1\r\nHost: x\n\r\n",
            "GET /hello HTTP/1.1\r\nHost: x\r\n\n", "GET /hello HTTP/1.1\r\nHost: x\r\nContent-Length: 00\r\n\r\n",
        ])
    func leniency(_ request: String) throws {
        let talk = Conversation(site)
        let answer = talk.ask(request)
        #expect(answer?.status == 200 && answer?.fields["connection"] == "close")
        #expect(talk.isClosedByServer)
    }

    @Test(
        "F19: A request with a body or two lengths is refused, and its body is not taken for a request",
        arguments: [
            "Content-Length: 40\r\n", "Transfer-Encoding: chunked\r\n", "Content-Length: 0\r\nContent-Length: 40\r\n",
            "Transfer-Encoding: identity\r\nContent-Length: 0\r\n", "Transfer-Encoding : chunked\r\n",
            "Content-Length: +0\r\n", "Content-Length: 0, 0\r\n", "X: a\r\n Transfer-Encoding: chunked\r\n",
        ])
    func bodies(_ fields: String) throws {
        let talk = Conversation(site)
        let inner = "POST /change HTTP/1.1\r\nHost: x\r\n\r\n"
        let answer = talk.ask("POST /change HTTP/1.1\r\nHost: x\r\n\(fields)\r\n\(inner)")
        #expect([400, 413].contains(answer?.status) && answer?.fields["connection"] == "close")
        #expect(talk.isClosedByServer)
        #expect(site.changes == 0)
    }

    @Test("F19: A late answer is not sent to the next request")
    func lateAnswer() throws {
        let talk = Conversation(site)
        #expect(talk.get("/hello")?.status == 200)
        talk.client.send("GET /silent HTTP/1.1\r\nHost: x\r\n\r\n")
        site.reactor.pump { site.kept != nil }
        site.reactor.advance(by: .seconds(20))
        let answer = talk.answer()
        #expect(answer?.status == 503 && answer?.fields["connection"] == "close")
        talk.client.send("GET /hello HTTP/1.1\r\nHost: x\r\n\r\n")
        site.kept?.respond(HTTPResponse(.ok, text: "somebody else's"))
        #expect(talk.isClosedByServer)
    }

    @Test("An idle connection has a timeout, and the next head has that of the first one")
    func idleAndHeadTimeouts() throws {
        let (idle, slow) = (Conversation(site), Conversation(site))
        #expect(idle.get("/hello")?.status == 200 && slow.get("/hello")?.status == 200)
        site.reactor.advance(by: .seconds(14))
        slow.client.send("G")
        site.reactor.drain()
        site.reactor.advance(by: .seconds(1))
        #expect(idle.isClosedByServer && site.service.connectionCount == 1)
        for _ in 0..<8 {
            slow.client.send("E")
            site.reactor.drain()
            site.reactor.advance(by: .seconds(1))
        }
        #expect(site.service.connectionCount == 1)
        site.reactor.advance(by: .seconds(1))
        #expect(slow.answer()?.status == 408)
        #expect(site.service.connectionCount == 0)
    }

    @Test("A connection carries a limited number of requests") func requestLimit() throws {
        let talk = Conversation(site)
        for _ in 1..<HTTPLimits().requests { #expect(talk.get("/hello")?.fields["connection"] == "keep-alive") }
        #expect(talk.get("/hello")?.fields["connection"] == "close" && talk.isClosedByServer)
    }

    @Test("A connection is closed when the client has closed its sending half") func halfClosed() throws {
        let talk = Conversation(site)
        talk.client.send("GET /hello HTTP/1.1\r\nHost: x\r\n\r\n")
        talk.client.finishSending()
        #expect(talk.answer()?.fields["connection"] == "close")
        let idle = Conversation(site)
        #expect(idle.get("/hello")?.fields["connection"] == "keep-alive")
        idle.client.finishSending()
        #expect(idle.isClosedByServer && talk.isClosedByServer)
    }

    @Test("A connection closes after a stream, a stream's HEAD or a refused stream") func streams() throws {
        let site = try Site { $0.connections = 2 }
        let talk = Conversation(site)
        #expect(talk.get("/hello")?.fields["connection"] == "keep-alive")
        #expect(talk.ask("HEAD /stream HTTP/1.1\r\nHost: x\r\n\r\n")?.fields["connection"] == "close")
        #expect(talk.isClosedByServer)
        talk.client.close()
        // The client first requests a page, and then a stream on the same connection.
        let listener = Conversation(site)
        #expect(listener.get("/hello")?.status == 200)
        listener.client.send("GET /stream HTTP/1.1\r\nHost: x\r\n\r\n")
        site.reactor.pump { site.service.streamCount == 1 }
        let refused = Conversation(site)
        #expect(refused.get("/hello")?.fields["connection"] == "keep-alive")
        #expect(refused.get("/stream")?.status == 503 && refused.isClosedByServer)
        site.closeStreams()
        // If a stream was reserved for a request that then gets another answer, the reservation is returned.
        let waiting = Conversation(site)
        waiting.client.send("GET /silent HTTP/1.1\r\nHost: x\r\n\r\n")
        site.reactor.pump { site.kept != nil }
        #expect(site.kept?.reserveStream() == true)
        site.kept?.respond(HTTPResponse(.notFound))
        #expect(waiting.answer()?.fields["connection"] == "close" && waiting.isClosedByServer)
        waiting.client.close()
        #expect(site.reactor.pump { site.service.streamCount == 0 })
    }

    @Test("Idle connections make room for new clients, the longest idle first") func roomForNewClients() throws {
        let site = try Site { $0.connections = 3 }
        let kept = (0..<3).map { _ in Conversation(site) }
        for talk in kept { #expect(talk.get("/hello")?.status == 200) }
        // The second connection has just been used, so the first and the third have been idle for longer.
        #expect(kept[1].get("/hello")?.status == 200)
        let others = (0..<2).map { _ in Conversation(site) }
        for talk in others {
            site.kept = nil
            talk.client.send("GET /silent HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(site.reactor.pump { site.kept != nil })
        }
        #expect(kept[0].isClosedByServer && kept[2].isClosedByServer)
        #expect(kept[1].get("/hello")?.status == 200)
        #expect(site.service.connectionCount == 3)
    }

    @Test("Idle connections make room for another one of the same client") func roomForOwnClient() throws {
        let site = try Site { $0.streamsPerAddress = 2 }
        let all = try site.service.listen(try #require(SocketAddress("0.0.0.0:0")))
        // Loopback has no limit per address. Clients at an address that other machines can reach do have it.
        guard let own = all.reachable.first(where: { !$0.isLoopback }) else { return }
        // Two streams, and a few connections for pages.
        let talks = (0..<12).map { _ in
            let talk = Conversation(LoopbackClient(to: own), site.reactor)
            #expect(talk.get("/hello")?.status == 200)
            return talk
        }
        #expect(site.service.connectionCount == 10)
        #expect(talks.count { $0.client.collect().end != nil } == 2)
        site.close()
    }

    @Test("The number of idle connections is limited") func idleLimit() throws {
        let site = try Site { $0.idleConnections = 2 }
        let kept = (0..<3).map { _ in Conversation(site) }
        for talk in kept { #expect(talk.get("/hello")?.status == 200) }
        #expect(kept[0].isClosedByServer && site.service.connectionCount == 2)
    }

    @Test("F19: Behind a proxy each request has its own client, who is counted while it is served")
    func proxy() throws {
        var limits = HTTPLimits()
        limits.streamsPerAddress = 1
        limits.trustedProxies = IPNetwork.loopback
        let site = try Site(limits: limits)
        let talks = (0..<2).map { _ in Conversation(site) }
        for client in ["203.0.113.1", "203.0.113.2", "203.0.113.1"] {
            for talk in talks {
                let answer = talk.get("/client", "X-Forwarded-For: \(client)\r\n")
                #expect(answer?.body == Array("\(client)\n".utf8) && answer?.fields["connection"] == "keep-alive")
            }
        }
        // Without a forwarded address the client is the proxy.
        #expect(talks[0].get("/client")?.body == Array("127.0.0.1\n".utf8))
        site.close()
    }
}

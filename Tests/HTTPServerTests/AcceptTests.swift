// SPDX-License-Identifier: MIT

import EventLoop
import HTTPServer
import TestSupport
import Testing

@Suite struct AcceptTests {
    @Test("Accepting gives the loop back after a few milliseconds") func sharingTheLoop() throws {
        let reactor = BusyReactor()
        let service = HTTPService(reactor: reactor)
        let port = try service.listen(try #require(SocketAddress("127.0.0.1:0"))).port
        let clients = (0..<100).map { _ in reactor.polled.connect(port: port) }
        reactor.polled.drain()
        #expect(service.connectionCount == clients.count)
        #expect(reactor.longestCallback <= .milliseconds(6))
        #expect(reactor.longestCallback >= .milliseconds(4))
        service.close()
        reactor.polled.drain()
    }
}

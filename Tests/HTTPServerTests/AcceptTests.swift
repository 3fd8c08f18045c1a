// SPDX-License-Identifier: MIT

import EventLoop
import HTTPServer
import Instants
import TestSupport
import Testing

@Suite struct AcceptTests {
    @Test func acceptingLetsOthersHaveTheLoopAfterAFewMilliseconds() throws {
        let reactor = BusyReactor()
        let service = HTTPService(reactor: reactor)
        let port = try service.listen(try #require(SocketAddress("127.0.0.1:0"))).port
        let clients = (0..<100).map { _ in LoopbackClient(port: port) }
        reactor.polled.drain()
        #expect(service.connectionCount == clients.count)
        #expect(reactor.longestCallback <= .milliseconds(6))
        #expect(reactor.longestCallback >= .milliseconds(4))
        service.close()
        reactor.polled.drain()
    }
}

/// A loop on which a millisecond passes with every look at the clock.
private final class BusyReactor: Reactor {
    let polled = PolledReactor()
    private(set) var longestCallback = Duration.zero
    private var looks = 0

    var now: MonotonicInstant { polled.now }
    var wallNow: WallInstant { polled.wallNow }
    var inbox: Inbox { polled.inbox }

    func readClocks() -> (now: MonotonicInstant, wall: WallInstant) {
        looks += 1
        return (now + .milliseconds(looks), wallNow)
    }

    func watch(_ descriptor: CInt, _ handler: @escaping (Readiness) -> Void) -> any SocketWatch {
        polled.watch(descriptor) { [unowned self] readiness in
            let before = looks
            handler(readiness)
            longestCallback = max(longestCallback, .milliseconds(looks - before))
        }
    }

    func makeTimer(_ handler: @escaping () -> Void) -> any ReactorTimer { polled.makeTimer(handler) }
    func `defer`(_ handler: @escaping () -> Void) { polled.defer(handler) }
    func watchSignal(_ number: CInt, _ handler: @escaping () -> Void) -> any SignalWatch {
        polled.watchSignal(number, handler)
    }
}

// SPDX-License-Identifier: MIT

import EventLoop
import Glibc
import Instants
import TestSupport
import TestTools
import Testing

@testable import NetworkChanges

/// Which events are reported, and when. A socket pair stands in for the kernel, and time is virtual.
struct NetworkChangesTests {
    private let reactor = PolledReactor()
    private let kernel: CInt
    private let ours: CInt

    init() throws {
        let pair = try SocketPair(SOCK_DGRAM, isBlocking: false)
        (kernel, ours) = (pair.near, pair.far)
    }

    @Test("Messages within 200 ms are one event, and later messages another")
    func gathering() {
        var told: [MonotonicInstant] = []
        let began = reactor.now
        let changes = NetworkChanges(descriptor: ours, reactor: reactor) { [reactor] in told.append(reactor.now) }
        defer { finish(changes) }
        for _ in 0..<3 { say(message(16, body: interface(2))) }
        reactor.drain()
        reactor.advance(by: .milliseconds(150))
        say(message(20, body: interface(2)))
        reactor.drain()
        #expect(told.isEmpty)
        reactor.advance(by: .milliseconds(50))
        #expect(told == [began + .milliseconds(200)])
        reactor.advance(by: .seconds(60))
        #expect(told.count == 1)
        say(message(24, body: route(table: 254)))
        reactor.drain()
        reactor.advance(by: .milliseconds(200))
        #expect(told.count == 2)
    }

    @Test("Changes of loopback are no event")
    func loopback() {
        var told = 0
        let changes = NetworkChanges(descriptor: ours, reactor: reactor) { told += 1 }
        defer { finish(changes) }
        say(message(16, body: interface(1)))
        say(message(20, body: interface(1)))
        say(message(24, body: route(table: 255)))
        reactor.drain()
        reactor.advance(by: .seconds(1))
        #expect(told == 0)
    }

    @Test("Closing drops a pending event, and is allowed within an event")
    func closing() throws {
        var told = 0
        var changes: NetworkChanges?
        changes = NetworkChanges(descriptor: ours, reactor: reactor) {
            told += 1
            changes?.close()
            changes = nil
        }
        say(message(16, body: interface(2)))
        reactor.drain()
        reactor.advance(by: .milliseconds(200))
        #expect(told == 1 && changes == nil && isLetGo)
        close(kernel)
    }

    @Test("A socket at its end is closed")
    func end() throws {
        let changes = NetworkChanges(descriptor: ours, reactor: reactor) {}
        // An empty datagram stands for the end, because recv returns the same for both.
        #expect(send(kernel, "", 0, 0) == 0)
        reactor.drain()
        #expect(isLetGo)
        changes.close()
        close(kernel)
    }

    private func say(_ datagram: [UInt8]) {
        #expect(send(kernel, datagram, datagram.count, 0) == datagram.count)
    }

    /// Whether the watched end of the socket pair is closed.
    private var isLetGo: Bool { send(kernel, "x", 1, CInt(MSG_NOSIGNAL)) < 0 }

    private func finish(_ changes: NetworkChanges) {
        changes.close()
        close(kernel)
    }
}

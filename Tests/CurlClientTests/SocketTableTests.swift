// SPDX-License-Identifier: MIT

import EventLoop
import EventLoopTesting
import Testing

@testable import CurlClient

/// Which descriptors are watched, and how.
struct SocketTableTests {
    private let reactor = ManualReactor()

    @Test("A socket stays coalesced while its transfer is paused, and a reused number does not") func coalescing() {
        let table = SocketTable(reactor) { _, _ in }
        table.watch(5, for: .read)
        #expect(!reactor.isCoalesced(5))
        table.coalesce(5, true)
        #expect(reactor.isCoalesced(5))
        // curl removes the watch during a pause, and adds it again later.
        table.unwatch(5)
        #expect(reactor.interest(in: 5) == [] && !reactor.isCoalesced(5))
        table.watch(5, for: .read)
        #expect(reactor.isCoalesced(5))
        table.watch(6, for: .read)
        #expect(!reactor.isCoalesced(6))
        // Another connection gets the same descriptor number.
        table.closing(5)
        table.watch(5, for: .write)
        #expect(reactor.interest(in: 5) == .write && !reactor.isCoalesced(5))
    }

    @Test("Readiness is reported with its descriptor, and not after the end") func readiness() {
        var ready: [CInt] = []
        let table = SocketTable(reactor) { descriptor, _ in ready.append(descriptor) }
        for descriptor in 7...9 as ClosedRange<CInt> { table.watch(descriptor, for: .read) }
        #expect(reactor.makeReady(8, .read))
        table.removeAll()
        #expect(!reactor.makeReady(9, .read) && ready == [8])
    }
}

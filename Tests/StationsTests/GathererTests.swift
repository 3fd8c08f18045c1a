// SPDX-License-Identifier: MIT

import EventLoop
import EventLoopTesting
import Instants
import RadioCore
import Testing

@testable import Stations

/// How long the audio of a connection may wait in the kernel.
struct GathererTests {
    private final class Supplier: Gatherer.Supplier {
        var frameWait = Duration.zero
        var gathers: [(bytes: Int, isCoalesced: Bool)] = []
        func gather(_ bytes: Int, isCoalesced: Bool) { gathers.append((bytes, isCoalesced)) }
    }

    private let reactor = ManualReactor()
    private let supplier = Supplier()

    /// Delivers 16 kB a second in steps of a tenth of a second, as after a burst.
    private func deliver(to gatherer: Gatherer, seconds: Int) {
        for step in 0..<seconds * 10 {
            reactor.advance(by: .milliseconds(100))
            gatherer.delivered(
                upTo: Position(frames: Int64(step) * 4, bytes: Int64(step) * 1_600, samples: Int64(step) * 4_800),
                sampleRate: 48_000, isBurstOver: true, now: reactor.now)
        }
    }

    @Test(
        "A connection is coalesced only if every sink can wait for the longest time",
        arguments: [nil, Duration.seconds(1), .milliseconds(300), .zero])
    func coalesced(_ tolerance: Duration?) {
        let gatherer = Gatherer(reactor: reactor)
        gatherer.tolerance = tolerance
        gatherer.begin(supplier)
        deliver(to: gatherer, seconds: 3)
        let isPatient = tolerance.map { $0 >= .seconds(1) } ?? true
        #expect(supplier.gathers.contains { $0.bytes > 1 } == (tolerance != .zero))
        #expect(supplier.gathers.contains(where: \.isCoalesced) == isPatient)
    }

    @Test("A sink in a hurry ends coalescing at once") func hurriedSink() {
        let gatherer = Gatherer(reactor: reactor)
        gatherer.begin(supplier)
        deliver(to: gatherer, seconds: 3)
        #expect(supplier.gathers.last?.isCoalesced == true)
        gatherer.tolerance = .milliseconds(100)
        #expect(supplier.gathers.last?.isCoalesced == false)
    }
}

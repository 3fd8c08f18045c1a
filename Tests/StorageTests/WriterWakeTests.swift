// SPDX-License-Identifier: MIT

import Platform
import TestTools
import Testing

@testable import Storage

@Suite("Waking the writer")
struct WriterWakeTests {
    @Test("A flush with nothing to write does not suppress the next wake of the thread")
    func emptyFlush() throws {
        let queue = WriterQueue()
        let client = queue.makeClient(root: "/nowhere") { _ in }
        let file = queue.makeFile(of: client)
        let taken = Monitor((orders: 0, data: 0))
        try WorkerThread.start(name: "taker") {
            while let commands = queue.take(until: nil, isGathering: false) {
                taken.withLock { taken in
                    for command in commands {
                        if case .append = command { taken.data += 1 } else { taken.orders += 1 }
                    }
                }
            }
        }
        defer { queue.close() }
        for round in 1...50 {
            queue.send(.sidecar(file, []))
            try #require(waitUntil(.seconds(20)) { taken.withLock { $0.orders } == round + 1 })
            queue.flush()
            #expect(queue.append(.bytes([1]), to: file, frames: 1, frameBytes: 1, samples: 1) == .queued)
            queue.flush()
            try #require(waitUntil(.seconds(20)) { taken.withLock { $0.data } == round }, "round \(round)")
            queue.settle(1, FrameTotals(frames: 1, bytes: 1, samples: 1), of: client)
        }
    }
}

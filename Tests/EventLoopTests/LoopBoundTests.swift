// SPDX-License-Identifier: MIT

import EventLoop
import EventLoopTesting
import TestTools
import Testing

struct LoopBoundTests {
    /// Counts, on the loop, the numbers that each thread passes to it.
    private final class Counter {
        private(set) var next = [Int](repeating: 0, count: 8)
        private(set) var outOfOrder = 0

        func hear(_ number: Int, from teller: Int) {
            if next[teller] != number { outOfOrder += 1 }
            next[teller] = number + 1
        }
    }

    private final class Holder: @unchecked Sendable {
        // Sound: touched on the loop alone.
        var counter: Counter? = Counter()
    }

    private func tellFromEightThreads(_ bound: LoopBound<Counter>) async throws {
        try await atOnce(0..<8) { teller in
            try await onThread {
                for number in 0..<10_000 { bound.tell { $0.hear(number, from: teller) } }
            }
        }
    }

    @Test("Calls told from threads run on the loop, in each thread's order") func fromThreads() async throws {
        try await withLoop { loop in
            let holder = Holder()
            let bound = await loop.call { reactor in holder.counter.map { reactor.bind($0) } }
            try await tellFromEightThreads(try #require(bound))
            let heard = await loop.call { _ in holder.counter.map { ($0.next, $0.outOfOrder) } }
            #expect(heard?.0 == [Int](repeating: 10_000, count: 8) && heard?.1 == 0)
        }
    }

    @Test("A call told to a released object does not run") func objectIsGone() async throws {
        try await withLoop { loop in
            let (holder, ran) = (Holder(), Watched(0))
            let bound = try #require(await loop.call { reactor in holder.counter.map { reactor.bind($0) } })
            await loop.call { _ in
                // The object exists when both calls are made. The first call releases it, and the second one does not
                // run.
                bound.tell { _ in
                    ran.change { $0 += 1 }
                    holder.counter = nil
                }
                bound.tell { _ in ran.change { $0 += 1 } }
            }
            await loop.call { _ in }
            bound.tell { _ in ran.change { $0 += 1 } }
            await loop.call { _ in }
            #expect(ran.value == 1)
        }
    }

    @Test("A call that is told runs after earlier posts") func afterPosts() async throws {
        try await withLoop { loop in
            let keeper = Keeper()
            let bound = await loop.call { $0.bind(keeper) }
            loop.post { keeper.log.append("posted") }
            bound.tell { $0.log.append("told") }
            loop.post { keeper.log.append("posted again") }
            #expect(await loop.call { _ in keeper.log } == ["posted", "told", "posted again"])
        }
    }

    @Test("A call told to a closed loop does nothing") func closedLoop() async throws {
        let ran = Watched(false)
        let bound = try await withLoop { loop in await loop.call { $0.bind(ran) } }
        bound.tell { $0.change { $0 = true } }
        #expect(!ran.value)
    }

    @Test("A manual reactor runs calls told from threads in its next turn") func manualReactor() async throws {
        let (reactor, counter) = (ManualReactor(), Counter())
        let bound = LoopBound<Counter>(reactor)
        bound.tell { $0.hear(1, from: 0) }
        reactor.settle()
        bound.bind(counter)
        try await tellFromEightThreads(bound)
        #expect(counter.next == [Int](repeating: 0, count: 8) && reactor.hasBeenTold)
        reactor.settle()
        #expect(counter.next == [Int](repeating: 10_000, count: 8) && counter.outOfOrder == 0)
        #expect(!reactor.hasBeenTold)
    }
}

// SPDX-License-Identifier: MIT

import EventLoop
import Synchronization
import TestTools
import Testing

/// Records what arrives on the loop, and which number is expected next from each poster.
private final class Arrivals: Sendable {
    private let state = Mutex((next: [Int](repeating: 0, count: 8), outOfOrder: 0, count: 0))

    func record(_ number: Int, from poster: Int) {
        state.withLock {
            if $0.next[poster] != number { $0.outOfOrder += 1 }
            $0.next[poster] = number + 1
            $0.count += 1
        }
    }

    var outOfOrder: Int { state.withLock { $0.outOfOrder } }
    var count: Int { state.withLock { $0.count } }
}

struct InboxTests {
    @Test("A million posts from 8 threads keep each thread's order") func aMillionPosts() async throws {
        let arrivals = Arrivals()
        let loop = try EventLoop()
        try loop.start()
        try await atOnce(0..<8) { poster in
            try await onThread {
                for number in 0..<125_000 { loop.post { arrivals.record(number, from: poster) } }
            }
        }
        loop.shutdown()
        #expect(arrivals.count == 1_000_000 && arrivals.outOfOrder == 0)
    }

    @Test("Posts and actor jobs share one order") func oneOrder() async throws {
        actor Log: LoopActor {
            nonisolated let loop: EventLoop
            var entries: [Int] = []
            init(loop: EventLoop) { self.loop = loop }
            func add(_ entry: Int) { entries.append(entry) }
            nonisolated func addNow(_ entry: Int) { assumeIsolated { $0.entries.append(entry) } }
        }
        try await withLoop { loop in
            let log = Log(loop: loop)
            for round in 0..<1000 {
                loop.post { log.addNow(2 * round) }
                await log.add(2 * round + 1)
            }
            #expect(await log.entries == Array(0..<2000))
        }
    }

    @Test("A post from the loop runs after the call that made it") func postFromLoop() async throws {
        try await withLoop { loop in
            let order = await loop.wait { (_, done: @escaping ([Int]) -> Void) in
                let log = Watched([Int]())
                // Sound: everything here runs on the loop, one after the other.
                nonisolated(unsafe) let finish = done
                loop.post {
                    log.change { $0.append(2) }
                    finish(log.value)
                }
                log.change { $0.append(1) }
            }
            #expect(order == [1, 2])
        }
    }

    @Test("A flood of posts does not starve timers") func postFlood() async throws {
        try await withLoop { loop in
            let posts = Watched(0)
            let fired = await loop.wait { (reactor, done: @escaping (Int) -> Void) in
                let keeper = Keeper()
                let timer = reactor.makeTimer {
                    done(posts.value)
                    keeper.timers = []
                }
                keeper.timers.append(timer)
                timer.arm(at: reactor.now)
                for _ in 0..<100_000 { loop.post { posts.change { $0 += 1 } } }
            }
            #expect(fired <= 8192)
        }
    }

    @Test("Two loops run in one process") func twoLoops() async throws {
        try await withLoop("one") { one in
            try await withLoop("other") { other in
                let rounds = await withCheckedContinuation { (continuation: CheckedContinuation<Int, Never>) in
                    @Sendable func pass(_ round: Int) {
                        guard round < 1000 else { return continuation.resume(returning: round) }
                        (round.isMultiple(of: 2) ? one : other).post { pass(round + 1) }
                    }
                    pass(0)
                }
                #expect(rounds == 1000)
            }
        }
    }
}

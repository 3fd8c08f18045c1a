// SPDX-License-Identifier: MIT

import Configuration
import Instants
import RadioCore
import Testing

@testable import Daemon

struct HookQueueTests {
    private let now = MonotonicInstant(nanoseconds: 0)

    private func job(_ number: Int) -> HookJob {
        HookJob(
            hook: number, settings: HookSettings(events: [.gap], action: .command(["/bin/true"])),
            event: HookEvent(.gap, at: WallInstant(nanoseconds: 0), in: FixedZone.utc))
    }

    @Test func theOldestAreDroppedAndCounted() {
        var queue = HookQueue()
        for number in 0..<1000 { queue.add(job(number)) }
        #expect(queue.takeDropped() == 1000 - HookQueue.limit)
        #expect(queue.takeDropped() == nil)
        var taken: [Int] = []
        while let job = queue.next(at: now) {
            taken.append(job.hook)
            #expect(queue.isCrowded == (taken.count < HookQueue.limit / 2))
        }
        #expect(taken == Array(1000 - HookQueue.limit..<1000))
        #expect(queue.isEmpty)
    }

    @Test func aSecondAttemptWaitsAndLetsOthersPass() {
        var queue = HookQueue()
        let later = now + .seconds(10)
        queue.add(job(1))
        queue.addAgain(job(0), at: later)
        #expect(queue.nextAttempt == later)
        #expect(queue.next(at: now)?.hook == 1)
        #expect(queue.next(at: now) == nil)
        #expect(queue.next(at: later)?.hook == 0)
        #expect(queue.nextAttempt == nil)
        for number in 0..<HookQueue.limit { queue.add(job(number)) }
        queue.addAgain(job(99), at: later)
        #expect(queue.takeDropped() == 1)
        #expect(queue.nextAttempt == nil)
    }
}

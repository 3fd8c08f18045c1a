// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import Testing

@testable import Configuration
@testable import Daemon

struct HookQueueTests {
    private let now = MonotonicInstant(nanoseconds: 0)

    /// A job whose event has the number as its time, in nanoseconds, so that jobs can be told apart.
    private func job(_ number: Int, hook: Int = 0) -> HookJob {
        HookJob(
            hook: hook, settings: HookSettings(events: ["gap"], action: .command(["/bin/true"])),
            event: HookEvent(.gap, at: WallInstant(nanoseconds: Int64(number)), in: FixedZone.utc),
            at: ClockReading(wall: WallInstant(nanoseconds: 0), now: now))
    }

    @Test("An event is a day old after a day, whatever the clock shows, and is new if its time is that of no set clock")
    func age() throws {
        let hooks = [HookSettings(events: ["gap"], action: .command(["/bin/true"]))]
        let day = Duration.seconds(86_400)
        let wall = WallInstant(nanoseconds: 1_795_636_800_000_000_000)
        func isStale(_ at: WallInstant, _ wall: WallInstant, after wait: Duration = .zero) throws -> Bool {
            let clocks = ClockReading(wall: wall, now: now)
            let event = HookEvent(.gap, at: at, in: FixedZone.utc)
            let heard = HookJob(hook: 0, settings: hooks[0], event: event, at: clocks)
            let read = try #require([HookJob](json: [heard].json, hooks, at: clocks).first)
            #expect(read.isStale(at: now + wait) == heard.isStale(at: now + wait))
            return read.isStale(at: now + wait)
        }
        #expect(try isStale(wall - day - .seconds(1), wall) && !isStale(wall - day, wall))
        // A machine without a battery for its clock boots in 1970.
        let boot = WallInstant(nanoseconds: 20_000_000_000)
        #expect(try !isStale(boot, wall) && !isStale(wall, boot) && !isStale(boot, boot))
        #expect(try isStale(boot, wall, after: day + .seconds(1)))
    }

    private func number(of job: HookJob?) -> Int? { job.map { $0.event.at.nanosecond } }

    @Test("The oldest events are dropped and counted") func oldestDropped() {
        var queue = HookQueue()
        for number in 0..<1000 { queue.add(job(number)) }
        #expect(queue.takeDropped() == 1000 - HookQueue.limit)
        #expect(queue.takeDropped() == nil)
        var taken: [Int] = []
        while let job = queue.next(at: now) {
            taken.append(job.event.at.nanosecond)
            #expect(queue.isCrowded == (taken.count < HookQueue.limit / 2))
        }
        #expect(taken == Array(1000 - HookQueue.limit..<1000))
        #expect(queue.waiting.isEmpty)
    }

    @Test("A second attempt waits and lets others pass") func secondAttempt() throws {
        var queue = HookQueue()
        let later = now + .seconds(10)
        queue.add(job(0))
        queue.add(job(1))
        let first = queue.next(at: now)
        queue.addAgain(try #require(first), at: later)
        #expect(queue.nextAttempt() == later)
        #expect(number(of: queue.next(at: now)) == 1)
        #expect(queue.next(at: now) == nil)
        #expect(number(of: queue.next(at: later)) == 0)
        #expect(queue.nextAttempt() == nil)
        for number in 0..<HookQueue.limit { queue.add(job(number)) }
        queue.addAgain(job(99), at: later)
        #expect(queue.takeDropped() == 1 && queue.nextAttempt() == nil)
    }

    @Test("When a hook works again, it gets the events in the order in which they occurred") func order() throws {
        var queue = HookQueue()
        for number in 0..<4 { queue.add(job(number)) }
        // Each fails once, and the first one is tried again before a new one.
        for wait in [40, 10, 20, 30] {
            let job = queue.next(at: now)
            queue.addAgain(try #require(job), at: now + .seconds(wait))
        }
        queue.add(job(4))
        #expect(number(of: queue.next(at: now)) == 0)
        queue.hurry(0)
        var order: [Int] = []
        while let job = queue.next(at: now) { order.append(job.event.at.nanosecond) }
        #expect(order == [1, 2, 3, 4])
    }

    @Test("A hook that is behind takes no room from others") func crowdedHook() {
        var queue = HookQueue()
        for number in 0..<200 { queue.add(job(number)) }
        for number in 0..<HookQueue.limit { queue.add(job(number, hook: 1)) }
        #expect(queue.takeDropped() == 200 - HookQueue.limit)
        for expected in 0..<HookQueue.limit { #expect(number(of: queue.next(at: now, besides: [0])) == expected) }
        #expect(queue.next(at: now, besides: [0]) == nil && queue.isCrowded && !queue.waiting.isEmpty)
    }

    @Test("A second attempt of a busy hook is not due") func busyHook() {
        var queue = HookQueue()
        queue.addAgain(job(0), at: now)
        queue.addAgain(job(1, hook: 1), at: now + .seconds(5))
        #expect(queue.nextAttempt(besides: [0]) == now + .seconds(5))
        #expect(queue.nextAttempt(besides: [0, 1]) == nil)
    }
}

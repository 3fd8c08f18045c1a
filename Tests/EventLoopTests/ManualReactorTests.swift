// SPDX-License-Identifier: MIT

import EventLoop
import EventLoopTesting
import Instants
import Testing

struct ManualReactorTests {
    private let reactor = ManualReactor()

    @Test("Timers fire in the order of their deadlines") func timerOrder() {
        var log: [Int] = []
        let timers = [30, 10, 20].map { delay in
            let timer = reactor.makeTimer { log.append(delay) }
            timer.arm(at: reactor.now + .seconds(delay))
            return timer
        }
        reactor.advance(by: .seconds(20))
        #expect(log == [10, 20])
        #expect(timers.map(\.isArmed) == [true, false, false])
        withExtendedLifetime(timers) { reactor.advance(by: .seconds(10)) }
        #expect(log == [10, 20, 30])
    }

    @Test("A timer's handler sees the instant of its deadline") func instantInHandler() {
        let deadline = reactor.now + .seconds(5)
        var seen: MonotonicInstant?
        let timer = reactor.makeTimer { [reactor] in seen = reactor.now }
        timer.arm(at: deadline)
        let wall = reactor.wallNow
        withExtendedLifetime(timer) { reactor.advance(by: .seconds(60)) }
        #expect(seen == deadline)
        #expect(reactor.now == deadline + .seconds(55) && reactor.wallNow == wall + .seconds(60))
    }

    @Test("A periodic timer fires once per period") func periodicTimer() {
        let keeper = Keeper()
        var count = 0
        let timer = reactor.makeTimer { [reactor] in
            count += 1
            keeper.timers[0].arm(at: reactor.now + .seconds(1))
        }
        keeper.timers.append(timer)
        timer.arm(at: reactor.now + .seconds(1))
        reactor.advance(by: .seconds(3600))
        #expect(count == 3600)
        keeper.timers = []
    }

    @Test("A timer cancelled in the same turn does not fire") func timerCancelledInTurn() {
        let keeper = Keeper()
        var fired = 0
        for other in [1, 0] {
            keeper.timers.append(
                reactor.makeTimer {
                    fired += 1
                    keeper.timers[other].cancel()
                })
        }
        for timer in keeper.timers { timer.arm(at: reactor.now) }
        reactor.settle()
        #expect(fired == 1)
        keeper.timers = []
    }

    @Test("A timer armed for a past instant fires in the next turn only") func pastInstant() {
        var fired = false
        let timer = reactor.makeTimer { fired = true }
        timer.arm(at: reactor.now - .seconds(1))
        #expect(!fired)
        withExtendedLifetime(timer) { reactor.settle() }
        #expect(fired)
    }

    @Test("Releasing a timer cancels it") func droppingATimerCancelsIt() {
        var fired = false
        reactor.makeTimer { fired = true }.arm(at: reactor.now)
        reactor.settle()
        #expect(!fired)
        #expect(reactor.nextAlarm == nil)
    }

    @Test("The turn of a manual reactor has the order of the real loop") func turnOrder() {
        let log = Keeper()
        reactor.bind(log).tell { $0.log.append("told") }
        reactor.defer { log.log.append("defer") }
        let timer = reactor.makeTimer { [reactor] in
            log.log.append("timer")
            reactor.defer { log.log.append("defer of the timer") }
        }
        timer.arm(at: reactor.now)
        withExtendedLifetime(timer) { reactor.settle() }
        #expect(log.log == ["timer", "defer", "defer of the timer", "told"])
    }

    @Test("A watch is called only for what it wants") func watch() {
        var seen: [Readiness] = []
        let watch = reactor.watch(7) { seen.append($0) }
        #expect(!reactor.makeReady(7, .read))
        watch.interest = [.read, .write]
        #expect(reactor.interest(in: 7) == [.read, .write] && reactor.makeReady(7, .read))
        watch.interest = .write
        #expect(!reactor.makeReady(7, .read))
        watch.cancel()
        #expect(!reactor.makeReady(7, .write) && reactor.interest(in: 7) == [])
        #expect(seen == [.read])
    }

    @Test("A signal watch is called when its signal is raised") func signals() {
        var count = 0
        let watch = reactor.watchSignal(15) { count += 1 }
        #expect(reactor.raise(15))
        #expect(!reactor.raise(2))
        watch.cancel()
        #expect(!reactor.raise(15))
        #expect(count == 1)
    }

    @Test("A step of the wall clock does not change the monotonic clock") func wallClock() {
        let now = reactor.now
        reactor.stepWall(to: WallInstant(nanoseconds: 0))
        reactor.advance(by: .seconds(1))
        #expect(reactor.wallNow == WallInstant(nanoseconds: 1_000_000_000))
        #expect(reactor.now == now + .seconds(1))
    }
}

// SPDX-License-Identifier: MIT

import EventLoop
import Glibc
import Instants
import Synchronization
import TestTools
import Testing

struct ReactorTests {
    @Test("Timers fire in order and not early") func timerOrder() async throws {
        let (order, isEarly) = try await onLoop { (reactor, done: @escaping (([Int], Bool)) -> Void) in
            let keeper = Keeper()
            let start = reactor.now
            var order: [Int] = []
            var isEarly = false
            for delay in [30, 10, 20, 0, -5] {
                let deadline = start + .milliseconds(delay)
                let timer = reactor.makeTimer {
                    order.append(delay)
                    if reactor.now < deadline { isEarly = true }
                    guard order.count == 5 else { return }
                    keeper.timers = []
                    done((order, isEarly))
                }
                keeper.timers.append(timer)
                timer.arm(at: deadline)
            }
        }
        #expect(order.prefix(2).sorted() == [-5, 0] && order.dropFirst(2) == [10, 20, 30])
        #expect(!isEarly)
    }

    @Test("A timer cancelled in the turn in which it is due does not fire") func timerCancelledInTurn() async throws {
        let fired = try await onLoop { (reactor, done: @escaping (Int) -> Void) in
            let keeper = Keeper()
            var fired = 0
            // Both timers are due in one turn, and the first one to fire cancels the other.
            for (own, other) in [(0, 1), (1, 0)] {
                keeper.timers.append(
                    reactor.makeTimer {
                        fired += 1
                        _ = own
                        keeper.timers[other].cancel()
                    })
            }
            for timer in keeper.timers { timer.arm(at: reactor.now) }
            let last = reactor.makeTimer {
                keeper.timers = []
                done(fired)
            }
            keeper.timers.append(last)
            last.arm(at: reactor.now + .milliseconds(20))
        }
        #expect(fired == 1)
    }

    @Test("A timer armed in its own handler fires in a later turn") func armingInHandler() async throws {
        let instants = try await onLoop { (reactor, done: @escaping ([MonotonicInstant]) -> Void) in
            let keeper = Keeper()
            var instants: [MonotonicInstant] = []
            let timer = reactor.makeTimer {
                instants.append(reactor.now)
                guard instants.count == 5 else { return keeper.timers[0].arm(at: reactor.now) }
                keeper.timers = []
                done(instants)
            }
            keeper.timers.append(timer)
            timer.arm(at: reactor.now)
        }
        #expect(instants.count == 5 && zip(instants, instants.dropFirst()).allSatisfy { $0 < $1 })
    }

    /// libevent's coarse clock ticks every 4 or 10 ms.
    @Test("A timer that is due when it is armed does not wait for the next clock tick") func dueAtOnce() async throws {
        let count = try await onLoop { (reactor, done: @escaping (Int) -> Void) in
            let keeper = Keeper()
            var count = 0
            let again = reactor.makeTimer {
                count += 1
                if count < 1_000 { keeper.timers[0].arm(at: reactor.now) }
            }
            let end = reactor.makeTimer {
                keeper.timers = []
                done(count)
            }
            keeper.timers = [again, end]
            again.arm(at: reactor.now)
            end.arm(at: reactor.now + .seconds(1))
        }
        #expect(count == 1_000)
    }

    @Test("Arming a timer again moves its deadline") func armingAgain() async throws {
        let elapsed = try await onLoop { (reactor, done: @escaping (Duration) -> Void) in
            let keeper = Keeper()
            let start = reactor.now
            let timer = reactor.makeTimer {
                keeper.timers = []
                done(reactor.now - start)
            }
            keeper.timers.append(timer)
            timer.arm(at: start + .milliseconds(5))
            #expect(timer.isArmed)
            timer.arm(at: start + .milliseconds(40))
        }
        #expect(elapsed >= .milliseconds(40))
    }

    @Test("Releasing a timer cancels it") func droppingATimerCancelsIt() async throws {
        let fired = try await onLoop { (reactor, done: @escaping (Bool) -> Void) in
            let keeper = Keeper()
            var fired = false
            reactor.makeTimer { fired = true }.arm(at: reactor.now)
            let last = reactor.makeTimer {
                keeper.timers = []
                done(fired)
            }
            keeper.timers.append(last)
            last.arm(at: reactor.now + .milliseconds(10))
        }
        #expect(!fired)
    }

    @Test("Timers accept the smallest and the largest instant") func extremeInstants() async throws {
        try await onLoop { (reactor, done: @escaping (()) -> Void) in
            let keeper = Keeper()
            for nanoseconds in [Int64.min, .max] {
                let timer = reactor.makeTimer {
                    #expect(nanoseconds == .min)
                    keeper.timers = []
                    done(())
                }
                keeper.timers.append(timer)
                timer.arm(at: MonotonicInstant(nanoseconds: nanoseconds))
            }
        }
    }

    @Test("Deferred calls run after the callbacks of the turn") func deferredCalls() async throws {
        let log = try await onLoop { (reactor, done: @escaping ([String]) -> Void) in
            let keeper = Keeper()
            for name in ["a", "b"] {
                let timer = reactor.makeTimer {
                    keeper.log.append(name)
                    reactor.defer {
                        keeper.log.append("deferred by \(name)")
                        reactor.defer {
                            keeper.log.append("deferred twice by \(name)")
                            guard keeper.log.count == 6 else { return }
                            keeper.timers = []
                            done(keeper.log)
                        }
                    }
                }
                keeper.timers.append(timer)
                timer.arm(at: reactor.now)
            }
        }
        #expect(Set(log.prefix(2)) == ["a", "b"])
        #expect(Set(log.dropFirst(2).prefix(2)) == ["deferred by a", "deferred by b"])
        #expect(Set(log.dropFirst(4)) == ["deferred twice by a", "deferred twice by b"])
    }

    @Test("The clocks stand still within a turn") func clocksInTurn() async throws {
        try await withLoop { loop in
            await loop.call { reactor in
                let (now, wall) = (reactor.now, reactor.wallNow)
                var dummy = 0
                for number in 0..<100_000 { dummy &+= number }
                #expect(dummy > 0)
                #expect(reactor.now == now && reactor.wallNow == wall)
            }
        }
    }

    @Test("A watch reports what its descriptor is ready for") func watch() async throws {
        let pair = try SocketPair()
        defer { pair.close() }
        let log = try await onLoop { (reactor, done: @escaping ([String]) -> Void) in
            let keeper = Keeper()
            let watch = reactor.watch(pair.near) { readiness in
                guard let watch = keeper.sockets.first else { return }
                if readiness.contains(.write) {
                    keeper.log.append("writable")
                    watch.interest = .read
                    _ = write(pair.far, "x", 1)
                } else if readiness.contains(.read) {
                    // Watches are level-triggered: readability is reported again until the byte is read.
                    keeper.log.append("readable")
                    guard keeper.log.count == 3 else { return }
                    watch.cancel()
                    keeper.sockets = []
                    done(keeper.log)
                }
            }
            keeper.sockets.append(watch)
            watch.interest = [.read, .write]
        }
        #expect(log == ["writable", "readable", "readable"])
    }

    @Test("A watch that wants nothing is not called") func noInterest() async throws {
        let pair = try SocketPair()
        defer { pair.close() }
        _ = write(pair.far, "x", 1)
        let calls = try await onLoop { (reactor, done: @escaping (Int) -> Void) in
            let keeper = Keeper()
            var calls = 0
            let watch = reactor.watch(pair.near) { _ in
                calls += 1
                keeper.sockets[0].interest = []
            }
            keeper.sockets.append(watch)
            watch.interest = .read
            let last = reactor.makeTimer {
                (keeper.timers, keeper.sockets) = ([], [])
                done(calls)
            }
            keeper.timers.append(last)
            last.arm(at: reactor.now + .milliseconds(20))
        }
        #expect(calls == 1)
    }

    @Test("A descriptor that is closed and opened again in one turn is watched") func reopenedDescriptor() async throws
    {
        let calls = try await onLoop { (reactor, done: @escaping (Int) -> Void) in
            let keeper = Keeper()
            var ends: [CInt] = [0, 0]
            var calls = 0
            func open() {
                socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends)
                let watch = reactor.watch(ends[0]) { _ in
                    calls += 1
                    keeper.sockets[0].cancel()
                    for end in ends { close(end) }
                    guard calls < 10 else {
                        keeper.sockets = []
                        return done(calls)
                    }
                    open()
                }
                watch.interest = .read
                keeper.sockets = [watch]
                _ = write(ends[1], "x", 1)
            }
            open()
        }
        #expect(calls == 10)
    }

    @Test("A hang-up is reported as readability") func hangUp() async throws {
        let pair = try SocketPair()
        defer { pair.close() }
        shutdown(pair.far, CInt(SHUT_RDWR))
        let readiness = try await onLoop { (reactor, done: @escaping (Readiness) -> Void) in
            let keeper = Keeper()
            let watch = reactor.watch(pair.near) {
                keeper.sockets = []
                done($0)
            }
            keeper.sockets.append(watch)
            watch.interest = .read
        }
        #expect(readiness == .read)
    }

    @Test("Signals are reported until the watch ends") func signals() async {
        // The test runs in its own process, because signals are process-wide.
        await #expect(processExitsWith: .success) {
            let loop = try EventLoop()
            let keeper = Keeper()
            loop.post {
                var heard = 0
                let watch = loop.reactor.watchSignal(SIGUSR1) {
                    heard += 1
                    guard heard == 3 else {
                        kill(getpid(), SIGUSR1)
                        return
                    }
                    keeper.signals = []
                    loop.shutdown()
                }
                keeper.signals.append(watch)
                kill(getpid(), SIGUSR1)
            }
            loop.run()
        }
    }

    @Test("Writing to a closed socket gives an error and no signal") func closedSocket() async {
        await #expect(processExitsWith: .success) {
            let loop = try EventLoop()
            loop.shutdown()
            let pair = try SocketPair()
            close(pair.far)
            #expect(write(pair.near, "x", 1) == -1 && errno == EPIPE)
        }
    }
}

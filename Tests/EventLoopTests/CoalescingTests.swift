// SPDX-License-Identifier: MIT

import EventLoop
import Glibc
import Instants
import TestTools
import Testing

/// Watches whose reports may be late: every ready descriptor is still reported.
struct CoalescingTests {
    /// More sockets than one round reports.
    private static let many = 70

    @Test("All of many coalesced sockets are reported, round after round, also after a pause")
    func rounds() async throws {
        let pairs = try (0..<Self.many).map { _ in try SocketPair() }
        defer { for pair in pairs { pair.close() } }
        let counts = try await onLoop { (reactor, done: @escaping ([Int]) -> Void) in
            let keeper = Keeper()
            var counts = [Int](repeating: 0, count: Self.many)
            var (pass, left) = (0, Self.many)
            func ring() {
                for pair in pairs { _ = write(pair.far, "x", 1) }
            }
            // Passes 1 to 3 follow each other at once, so rounds are timed. Each later pass comes after a pause, in
            // which timed rounds end.
            let pause = reactor.makeTimer { ring() }
            keeper.timers = [pause]
            for (index, pair) in pairs.enumerated() {
                let watch = reactor.watch(pair.near) { _ in
                    counts[index] += readByte(pair.near)
                    left -= 1
                    guard left == 0 else { return }
                    (pass, left) = (pass + 1, Self.many)
                    switch pass {
                    case 6:
                        (keeper.timers, keeper.sockets) = ([], [])
                        done(counts)
                    case 4...: pause.arm(at: reactor.now + .milliseconds(120))
                    default: ring()
                    }
                }
                watch.interest = .read
                watch.isCoalesced = true
                keeper.sockets.append(watch)
            }
            ring()
        }
        #expect(counts == [Int](repeating: 6, count: Self.many))
    }

    @Test("A coalesced watch that is cancelled in a round is not reported in it")
    func cancelling() async throws {
        let pairs = try (0..<2).map { _ in try SocketPair() }
        defer { for pair in pairs { pair.close() } }
        let calls = try await onLoop { (reactor, done: @escaping (Int) -> Void) in
            let keeper = Keeper()
            var calls = 0
            for (own, other) in [(0, 1), (1, 0)] {
                _ = write(pairs[own].far, "x", 1)
                let watch = reactor.watch(pairs[own].near) { _ in
                    calls += 1
                    _ = readByte(pairs[own].near)
                    keeper.sockets[other].cancel()
                }
                watch.interest = .read
                watch.isCoalesced = true
                keeper.sockets.append(watch)
            }
            let last = reactor.makeTimer {
                (keeper.timers, keeper.sockets) = ([], [])
                done(calls)
            }
            keeper.timers = [last]
            last.arm(at: reactor.now + .milliseconds(120))
        }
        #expect(calls == 1)
    }

    @Test("A watch may change its kind, want nothing, and be released in its own report")
    func changing() async throws {
        let pair = try SocketPair()
        defer { pair.close() }
        let log = try await onLoop { (reactor, done: @escaping ([String]) -> Void) in
            let keeper = Keeper()
            let pause = reactor.makeTimer {
                keeper.log.append("pause")
                keeper.sockets[0].interest = .read
            }
            let watch = reactor.watch(pair.near) { readiness in
                keeper.log.append(readiness == .read ? "readable" : "\(readiness)")
                let watch = keeper.sockets[0]
                switch keeper.log.count {
                case 1: watch.isCoalesced = false
                case 2: watch.isCoalesced = true
                case 3:
                    watch.interest = []
                    pause.arm(at: reactor.now + .milliseconds(60))
                default:
                    (keeper.timers, keeper.sockets) = ([], [])
                    done(keeper.log)
                }
            }
            watch.isCoalesced = true
            watch.interest = .read
            (keeper.sockets, keeper.timers) = ([watch], [pause])
            _ = write(pair.far, "x", 1)
        }
        #expect(log == ["readable", "readable", "readable", "pause", "readable"])
    }

    @Test("The last coalesced watch may be released after the loop's end")
    func releasedLate() async throws {
        let pair = try SocketPair()
        defer { pair.close() }
        let keeper = Keeper()
        _ = try await onLoop { (reactor, done: @escaping (Bool) -> Void) in
            let watch = reactor.watch(pair.near) { _ in }
            watch.isCoalesced = true
            watch.interest = .read
            keeper.sockets = [watch]
            done(true)
        }
        keeper.sockets = []
    }

    @Test("A coalesced watch reports writability at once, and a hang-up as readability")
    func otherReports() async throws {
        let pair = try SocketPair()
        defer { pair.close() }
        let log = try await onLoop { (reactor, done: @escaping ([String]) -> Void) in
            let keeper = Keeper()
            let watch = reactor.watch(pair.near) { readiness in
                if readiness.contains(.write) {
                    keeper.log.append("writable")
                    keeper.sockets[0].interest = .read
                    shutdown(pair.far, CInt(SHUT_RDWR))
                } else {
                    keeper.log.append("readable")
                    keeper.sockets = []
                    done(keeper.log)
                }
            }
            watch.isCoalesced = true
            watch.interest = [.read, .write]
            keeper.sockets = [watch]
        }
        #expect(log == ["writable", "readable"])
    }
}

/// Reads a byte, and returns the number of bytes read.
private func readByte(_ descriptor: CInt) -> Int {
    var byte: UInt8 = 0
    return read(descriptor, &byte, 1)
}

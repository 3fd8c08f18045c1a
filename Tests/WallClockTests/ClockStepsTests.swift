// SPDX-License-Identifier: MIT

import EventLoop
import Glibc
import TestSupport
import TestTools
import Testing

@testable import WallClock

/// Only root can set the clock, so no test does. The kernel reports a step by an error of `read` that tests cannot
/// produce. An expiry of the timer is handled in the same way, and its eight bytes can come from any descriptor.
struct ClockStepsTests {
    private let reactor = PolledReactor()
    private let kernel: CInt
    private let ours: CInt

    init() throws {
        let pair = try SocketPair(SOCK_DGRAM, isBlocking: false)
        (kernel, ours) = (pair.near, pair.far)
    }

    @Test("The kernel accepts the watch, and reports nothing while the clock is not set")
    func real() throws {
        for end in [kernel, ours] { close(end) }
        var steps = 0
        let watch = try #require(ClockSteps(reactor: reactor) { steps += 1 })
        defer { watch.close() }
        reactor.drain()
        #expect(steps == 0)
    }

    @Test("Each clock step is reported once")
    func told() {
        defer { close(kernel) }
        var steps = 0
        let watch = ClockSteps(descriptor: ours, reactor: reactor) { steps += 1 }
        defer { watch.close() }
        for count in 1...3 {
            expire()
            reactor.drain()
            #expect(steps == count)
        }
    }

    @Test("The watch may be closed within a report")
    func closing() {
        defer { close(kernel) }
        var steps = 0
        var watch: ClockSteps?
        watch = ClockSteps(descriptor: ours, reactor: reactor) {
            steps += 1
            watch?.close()
            watch = nil
        }
        expire()
        expire()
        reactor.drain()
        #expect(steps == 1 && watch == nil)
    }

    @Test("A descriptor at its end is closed")
    func end() {
        defer { close(kernel) }
        let watch = ClockSteps(descriptor: ours, reactor: reactor) {}
        // `read` returns the same for an empty datagram as at the end.
        #expect(send(kernel, "", 0, 0) == 0)
        reactor.drain()
        #expect(send(kernel, "x", 1, CInt(MSG_NOSIGNAL)) < 0)
        watch.close()
    }

    private func expire() {
        var count: UInt64 = 1
        #expect(send(kernel, &count, 8, 0) == 8)
    }
}

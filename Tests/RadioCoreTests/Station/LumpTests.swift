// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import Testing

/// Stations that send in lumps, and what the machine learns about them, in virtual time.
struct LumpTests {
    private typealias Machine = ConnectionMachine
    private static let epoch = Machine.epoch

    /// A station that sent briefly `count` times on its only connection, once every `lump`.
    private static func lumpy(_ lump: Duration, _ count: Int) -> (machine: Machine, now: MonotonicInstant) {
        var machine = Machine.live()
        machine.heard(.seconds(1), epoch)
        var now = epoch
        for _ in 0..<count {
            now = now + lump
            _ = machine.frames(.first, now)
            machine.heard(.seconds(1), now)
        }
        return (machine, now)
    }

    @Test("A22: A station that sends in lumps is hedged after one and a half lumps and stalls after two")
    func lumps() throws {
        #expect(Self.lumpy(.seconds(9), 1).machine.stall == .seconds(10))
        var (machine, now) = Self.lumpy(.seconds(9), 3)
        #expect(machine.stall == .seconds(18) && machine.hedgeDelay == .milliseconds(13_500))
        // The stall is never longer than half a minute.
        #expect(Self.lumpy(.seconds(25), 3).machine.stall == .seconds(30))
        // A station that sends steadily again is treated like any other.
        for _ in 0..<100 {
            now = now + .milliseconds(300)
            _ = machine.frames(.first, now)
            machine.heard(.seconds(1), now)
        }
        #expect(machine.stall == .seconds(10) && machine.hedgeDelay == .milliseconds(2_500))
        // Single stalls in a steady stream do not count as its usual pause.
        for index in 0..<40 {
            now = now + (index % 10 == 0 ? .seconds(5) : .seconds(1))
            _ = machine.frames(.first, now)
            machine.heard(.seconds(1), now)
        }
        #expect(machine.stall == .seconds(10))
    }

    @Test("A22: After a lump, the connection that continues first wins, and one such pause is proof")
    func provenPause() throws {
        var (machine, now) = try Self.hedgedAfterLump()
        #expect(!machine.hedgeMayDecide(now))
        // The first connection resumes, so the silence was its usual pause.
        now = Self.epoch + .seconds(8)
        var first = machine
        #expect(first.resume(now) == .closeHedge)
        first.heard(.seconds(1), now)
        #expect(first.stall == .seconds(16) && first.hedgeDelay == .seconds(12))
        // The hedge continues, so the first connection has stalled.
        _ = machine.frames(.hedge, now)
        #expect(machine.hedgeWaitsUntil(after: now) == now + Machine.Limits.tie)
        #expect(machine.hedgeMayDecide(now + Machine.Limits.tie))
        // If neither connection continues, the hedge waits until the first one has been silent for ten seconds.
        (machine, now) = try Self.hedgedAfterLump()
        #expect(machine.hedgeWaitsUntil(after: now) == Self.epoch + .seconds(10))
        #expect(machine.hedgeMayDecide(Self.epoch + .seconds(10)))
    }

    @Test("A22: Patience with lumps ends when connections stay silent, and returns once one continues")
    func patienceAgain() throws {
        var (machine, now) = try Self.hedgedAfterLump()
        for _ in 0..<2 {
            now = try #require(machine.hedgeWaitsUntil(after: now))
            _ = machine.tick(now)
            machine.heard(.seconds(1), now)
            now = try Self.hedge(&machine)
        }
        // Two connections have gone silent, so the machine does not wait for the third.
        var hopeless = machine
        #expect(hopeless.tick(now + Machine.Limits.tie).promoted != nil)
        // The third connection continues nevertheless.
        for _ in 0..<30 {
            now = now + .milliseconds(300)
            _ = machine.resume(now)
            machine.heard(.seconds(1), now)
        }
        now = try Self.hedge(&machine)
        #expect(machine.tick(now + Machine.Limits.tie).promoted == nil)
    }

    /// A machine whose first connection delivered everything at the epoch. A hedge was therefore opened and has
    /// delivered a burst.
    private static func hedgedAfterLump() throws -> (machine: Machine, now: MonotonicInstant) {
        var machine = Machine.live()
        machine.heard(.seconds(1), epoch)
        let now = try hedge(&machine)
        return (machine, now)
    }

    /// Lets the first connection stay silent until a hedge is opened and delivers a burst. Returns the time of the
    /// burst.
    private static func hedge(_ machine: inout Machine) throws -> MonotonicInstant {
        let now = try #require(machine.deadline)
        #expect(machine.tick(now).hedged != nil)
        machine.accepted(.hedge, finalURLDiffers: false, now)
        _ = machine.frames(.hedge, now)
        return now
    }

    @Test("A22: The silence before a new connection delivers counts as an outage, not as a pause")
    func outages() {
        var machine = Machine.live()
        machine.heard(.seconds(1), Self.epoch)
        var now = Self.epoch
        for _ in 0..<4 {
            now = now + .seconds(12)
            if machine.ended(.first, nil, now) == .wait { now = machine.deadline ?? now }
            _ = machine.tick(now)
            _ = machine.climb(.first, now)
            machine.heard(.seconds(1), now)
        }
        #expect(machine.stall == .seconds(10))
    }
}

// SPDX-License-Identifier: MIT

import CAllocations
import RadioFormats
import Stations
import TestSupport
import Testing

@testable import Relay

// The suite runs only in release, because without optimisation even a loop over a range allocates. The second run of
// `make test` is a release build.
#if !DEBUG

    /// Allocations of a listener while it listens.
    struct AllocationTests {
        private final class Member: FlushMember {
            var seat: FlushSeat?
        }

        @Test("Allocations are counted")
        func counts() {
            let before = ac_allocation_count()
            let array = [Int](repeating: 1, count: Int.random(in: 1000...2000))
            #expect(array.count >= 1000 && ac_allocation_count() > before)
        }

        @Test("10,000 flushes allocate nothing, with titles and without")
        func flushes() throws {
            let rig = try RelayRig()
            rig.hub.setTitle("A title")
            rig.run(5)
            let clients = (0..<50).map { rig.listen($0 % 2 == 0 ? "Icy-MetaData: 1\r\n" : "") }
            rig.run(3) { clients.forEach { $0.collect() } }
            var (flushes, allocations) = (0, 0)
            var bytes = 0
            while flushes < 10_000 {
                let listeners = rig.mount.turns.all
                let sentBefore = listeners.reduce(0) { $0 + $1.bytesSent }
                rig.play(40)
                let before = ac_allocation_count()
                for listener in listeners { rig.mount.visit(listener) }
                allocations += ac_allocation_count() - before
                bytes += Int(listeners.reduce(0) { $0 + $1.bytesSent } - sentBefore)
                flushes += listeners.count
                clients.forEach { $0.discard() }
            }
            #expect(allocations == 0)
            // Each listener was really sent a second of audio.
            #expect(bytes >= flushes * 39 * RelayRig.frameSize)
            rig.close()
        }

        @Test("An outage of a format without silence allocates nothing for each listener")
        func outage() throws {
            let rig = try RelayRig(
                format: StreamFormat(codec: .aac, mpegVersion: .mpeg4, sampleRate: 44100, channels: 2))
            rig.run(5)
            let clients = (0..<50).map { _ in rig.listen() }
            rig.wait(10) { clients.forEach { $0.discard() } }
            let listeners = rig.mount.turns.all
            #expect(listeners.count == 50)
            for listener in listeners { rig.mount.visit(listener) }
            let before = ac_allocation_count()
            for listener in listeners { rig.mount.visit(listener) }
            #expect(ac_allocation_count() == before)
            rig.close()
        }

        @Test("Finding the listeners whose turn it is allocates nothing")
        func turns() {
            let members = (0..<50).map { _ in Member() }
            var wheel = FlushWheel<Member>()
            for (number, member) in members.enumerated() { wheel.add(member, level: 2 + number % 5) }
            var round = FlushRound(from: 0)
            func turn(_ ticks: Int64) -> Int {
                var count = 0
                for tick in round.tick..<round.tick + ticks {
                    while round.next(on: wheel, upTo: tick) != nil { count += 1 }
                    if wheel.nextTurn(after: tick) == nil { count = -1 }
                }
                return count
            }
            // Runs once before counting: at the first use of a type, a process allocates memory that does not count for
            // a turn.
            _ = turn(64)
            let before = ac_allocation_count()
            let count = turn(640)
            #expect(ac_allocation_count() == before)
            #expect(count >= 450)
        }
    }

#endif

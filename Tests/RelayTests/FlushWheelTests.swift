// SPDX-License-Identifier: MIT

import RadioCore
import Testing

@testable import Relay

/// Which member has its turn at which time.
struct FlushWheelTests {
    private final class Member: FlushMember {
        var seat: FlushSeat?
        var turns: [Int64] = []
    }

    @Test("An interval is the longest one within the wanted time, from a sixteenth of a second to a second")
    func levels() {
        let wanted: [(Duration, Int)] = [
            (.zero, 2), (.milliseconds(60), 2), (.milliseconds(125), 3), (.milliseconds(249), 3),
            (.milliseconds(250), 4), (.milliseconds(999), 5), (.seconds(1), 6), (.seconds(60), 6),
        ]
        for (duration, level) in wanted { #expect(FlushTicks.level(for: duration) == level, "\(duration)") }
    }

    @Test("20,000 members are spread evenly over the ticks, and each has one turn in its interval")
    func spread() throws {
        var wheel = FlushWheel<Member>()
        let members = (0..<20_000).map { _ in Member() }
        for member in members { wheel.add(member, level: 6) }
        var round = FlushRound(from: 0)
        for tick in Int64(1)...192 {
            var count = 0
            while let member = round.next(on: wheel, upTo: tick) {
                member.turns.append(tick)
                count += 1
            }
            #expect((312...313).contains(count))
        }
        for member in members {
            #expect(member.turns.count == 3)
            #expect(zip(member.turns, member.turns.dropFirst()).allSatisfy { $1 - $0 == 64 })
        }
    }

    @Test(
        "Few members share a tick, and with many members no tick has more than its share",
        arguments: [1, 256, 257, 1000, 17_000])
    func batches(count: Int) {
        var wheel = FlushWheel<Member>()
        for _ in 0..<count { wheel.add(Member(), level: 6) }
        var sizes: [Int] = []
        for tick in Int64(1)...64 {
            let size = wheel.listeners(level: 6, tick: tick).count
            if size > 0 { sizes.append(size) }
        }
        #expect(sizes.reduce(0, +) == count && sizes.count == min(64, (count + 255) / 256))
        #expect((sizes.max() ?? 0) <= max(256, (count + 63) / 64))
    }

    @Test("Each level has its own interval", arguments: 2...6)
    func intervals(level: Int) {
        var wheel = FlushWheel<Member>()
        let member = Member()
        wheel.add(member, level: level)
        var round = FlushRound(from: 1000)
        while let turn = wheel.nextTurn(after: round.tick), turn <= 1640 {
            while let member = round.next(on: wheel, upTo: turn) { member.turns.append(turn) }
        }
        #expect(member.turns.count == 640 >> level)
        #expect(member.seat?.interval == FlushTicks.length * (1 << level))
    }

    @Test("Members that join and leave do not take turns from others")
    func churn() {
        var random = SplitMix64(seed: 7)
        var wheel = FlushWheel<Member>()
        var there: [Member] = []
        var round = FlushRound(from: 0)
        let stays = (0..<200).map { _ in Member() }
        for member in stays { wheel.add(member, level: 2 + Int(random.next() % 5)) }
        for tick in Int64(1)...640 {
            while let member = round.next(on: wheel, upTo: tick) {
                member.turns.append(tick)
                // A member joins, another one leaves, or the member leaves during its own turn.
                switch random.next() % 4 {
                case 0:
                    let new = Member()
                    there.append(new)
                    wheel.add(new, level: 2 + Int(random.next() % 5))
                case 1 where !there.isEmpty:
                    wheel.remove(there.remove(at: Int(random.next() % UInt64(there.count))))
                case 2 where there.contains { $0 === member }:
                    there.removeAll { $0 === member }
                    wheel.remove(member)
                default: break
                }
            }
        }
        #expect(wheel.count == stays.count + there.count && wheel.all.count == wheel.count)
        for member in stays {
            let interval = member.seat.map { Int64(1) << Int64($0.level) } ?? 0
            // When a member leaves, another one moves within its slot, and may then have the same turn twice.
            #expect(Set(member.turns).count == Int(640 / interval))
        }
    }

    @Test(
        "After a pause of the process each member is due once or twice",
        arguments: [65, 127, 128, 1000, 1_000_000, 1_000_063])
    func pause(end: Int64) {
        var wheel = FlushWheel<Member>()
        let members = (0..<20_000).map { _ in Member() }
        for member in members { wheel.add(member, level: 6) }
        var round = FlushRound(from: 0)
        while let member = round.next(on: wheel, upTo: end) { member.turns.append(0) }
        #expect(members.allSatisfy { (1...2).contains($0.turns.count) })
        #expect(round.tick == end)
    }

    @Test("On an overloaded machine all members have a turn equally often")
    func overload() {
        var wheel = FlushWheel<Member>()
        let members = (0..<1000).map { _ in Member() }
        for member in members { wheel.add(member, level: 6) }
        var round = FlushRound(from: 0)
        var now: Int64 = 0
        // A round of all members takes ten times as long as it may.
        for _ in 0..<2000 {
            now += 32
            for _ in 0..<50 {
                guard let member = round.next(on: wheel, upTo: now) else { break }
                member.turns.append(now)
            }
        }
        let counts = members.map(\.turns.count)
        #expect((counts.min() ?? 0) > 90 && (counts.max() ?? 0) - (counts.min() ?? 0) <= 2)
    }
}

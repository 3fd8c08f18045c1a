// SPDX-License-Identifier: MIT

import Instants

/// A listener as it stands on a ``FlushWheel``.
protocol FlushMember: AnyObject {
    /// The wheel's own: nobody else changes it.
    var seat: FlushSeat? { get set }
}

/// Where a member stands.
struct FlushSeat: Hashable {
    fileprivate(set) var level: UInt8
    fileprivate(set) var slot: UInt8
    fileprivate(set) var index: Int32

    var interval: Duration { FlushTicks.interval(level: Int(level)) }
}

/// The time of a ``FlushWheel``.
enum FlushTicks {
    /// A sixty-fourth of a second.
    static let length = Duration.nanoseconds(15_625_000)
    /// The longest interval is `1 << 6` ticks, a second; the shortest 4 ticks, a sixteenth of a second.
    static let levels = 2...6
    static let longest = Int64(1 << levels.upperBound)

    /// How many have passed.
    static func at(_ instant: MonotonicInstant) -> Int64 { instant.nanoseconds / length.wholeNanoseconds }

    static func start(of tick: Int64) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: tick * length.wholeNanoseconds)
    }

    static func interval(level: Int) -> Duration { length * (1 << level) }

    /// The level whose interval is the longest that is not longer than `wanted`; the shortest there is for less.
    static func level(for wanted: Duration) -> Int {
        levels.last { interval(level: $0) <= wanted } ?? levels.lowerBound
    }
}

/// Which listeners get their audio when: a wheel of ticks, on which each has its place. Confined to the loop's thread.
///
/// Writes are what costs, so each listener's are gathered for its interval; and listeners are spread over the interval,
/// so that thousands of them are a steady trickle and no spike. Intervals are powers of two in ticks: a listener of
/// interval `n` stands in one of `n` slots, and its turn is every tick that is that slot's number modulo `n`. Where
/// they are few they share a slot, and with it a wake-up of the loop.
struct FlushWheel<Member: FlushMember> {
    private var slots: [[[Member]]] = FlushTicks.levels.map { Array(repeating: [], count: 1 << $0) }
    private(set) var count = 0

    /// The number of listeners that share a slot before the next slot is begun. With cold caches a wake-up of the loop
    /// costs what a dozen listeners cost, and the turn of a full slot takes some three milliseconds.
    private static var batch: Int { 256 }

    /// Gives a listener a place in a slot of its level.
    mutating func add(_ listener: Member, level: Int) {
        let row = level - FlushTicks.levels.lowerBound
        let slot = Self.slotWithRoom(in: slots[row])
        listener.seat = FlushSeat(level: UInt8(level), slot: UInt8(slot), index: Int32(slots[row][slot].count))
        slots[row][slot].append(listener)
        count += 1
    }

    /// The fullest slot that holds less than a batch, or else the emptiest.
    private static func slotWithRoom(in slots: [[Member]]) -> Int {
        var (fullest, emptiest): (Int?, Int) = (nil, 0)
        for slot in slots.indices {
            let count = slots[slot].count
            if count < slots[emptiest].count { emptiest = slot }
            if count < batch, fullest.map({ count > slots[$0].count }) ?? true { fullest = slot }
        }
        return fullest ?? emptiest
    }

    /// Takes a listener's place away. The last of its slot moves there, so that whoever goes through a slot from its
    /// end may remove whom it meets.
    mutating func remove(_ listener: Member) {
        guard let seat = listener.seat else { return }
        listener.seat = nil
        count -= 1
        let row = Int(seat.level) - FlushTicks.levels.lowerBound
        let last = slots[row][Int(seat.slot)].removeLast()
        guard last !== listener else { return }
        slots[row][Int(seat.slot)][Int(seat.index)] = last
        last.seat = seat
    }

    /// Who stands in the slot of a level whose turn a tick is.
    func listeners(level: Int, tick: Int64) -> [Member] {
        slots[level - FlushTicks.levels.lowerBound][Int(tick & ((1 << level) - 1))]
    }

    /// The first tick after `tick` that is somebody's turn; nil where nobody is there.
    func nextTurn(after tick: Int64) -> Int64? {
        guard count > 0 else { return nil }
        for candidate in (tick + 1)...(tick + FlushTicks.longest) {
            for level in FlushTicks.levels where !listeners(level: level, tick: candidate).isEmpty { return candidate }
        }
        return nil
    }

    /// All of them, in no order that matters.
    var all: [Member] { slots.flatMap { $0.flatMap { $0 } } }
}

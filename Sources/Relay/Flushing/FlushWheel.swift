// SPDX-License-Identifier: MIT

import Instants

/// A listener that can be placed on a ``FlushWheel``.
protocol FlushMember: AnyObject {
    /// Set by the wheel only.
    var seat: FlushSeat? { get set }
}

/// A member's place on the wheel.
struct FlushSeat: Hashable {
    fileprivate(set) var level: UInt8
    fileprivate(set) var slot: UInt8
    fileprivate(set) var index: Int32

    var interval: Duration { FlushTicks.interval(level: Int(level)) }
}

/// The ticks of a ``FlushWheel``.
enum FlushTicks {
    /// One sixty-fourth of a second.
    static let length = Duration.nanoseconds(15_625_000)
    /// The longest interval is `1 << 6` ticks, one second; the shortest is 4 ticks, a sixteenth of a second.
    static let levels = 2...6
    static let longest = Int64(1 << levels.upperBound)

    /// The number of whole ticks up to `instant`.
    static func at(_ instant: MonotonicInstant) -> Int64 { instant.nanoseconds / length.wholeNanoseconds }

    static func start(of tick: Int64) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: tick * length.wholeNanoseconds)
    }

    static func interval(level: Int) -> Duration { length * (1 << level) }

    /// The level with the longest interval that does not exceed `wanted`; the lowest level if every interval does.
    static func level(for wanted: Duration) -> Int {
        levels.last { interval(level: $0) <= wanted } ?? levels.lowerBound
    }
}

/// A timer wheel: determines at which ticks each listener is sent audio.
///
/// Writes dominate the cost, so audio is gathered for a listener's whole interval, and listeners are spread over the
/// interval, so that thousands of them cause a steady trickle instead of spikes. Intervals are powers of two in ticks:
/// a listener with interval `n` is in one of `n` slots, and is due at every tick that equals the slot's number modulo
/// `n`. As long as there are few listeners, they share one slot, and so one wake-up of the loop.
struct FlushWheel<Member: FlushMember> {
    private var slots: [[[Member]]] = FlushTicks.levels.map { Array(repeating: [], count: 1 << $0) }
    private(set) var count = 0

    /// How many listeners fill a slot before the next slot is used. With cold caches, a wake-up of the loop costs as
    /// much as a dozen listeners; the turn of a full slot takes about three milliseconds.
    private static var batch: Int { 256 }

    /// Adds a listener to a slot of its level.
    mutating func add(_ listener: Member, level: Int) {
        let row = level - FlushTicks.levels.lowerBound
        let slot = Self.slotWithRoom(in: slots[row])
        listener.seat = FlushSeat(level: UInt8(level), slot: UInt8(slot), index: Int32(slots[row][slot].count))
        slots[row][slot].append(listener)
        count += 1
    }

    /// The fullest slot that has less than a batch of listeners; if there is no such slot, the emptiest slot.
    private static func slotWithRoom(in slots: [[Member]]) -> Int {
        var (fullest, emptiest): (Int?, Int) = (nil, 0)
        for slot in slots.indices {
            let count = slots[slot].count
            if count < slots[emptiest].count { emptiest = slot }
            if count < batch, fullest.map({ count > slots[$0].count }) ?? true { fullest = slot }
        }
        return fullest ?? emptiest
    }

    /// Removes a listener. The last member of its slot moves to its place, so a loop that walks a slot from the end may
    /// remove the member it has reached.
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

    /// The members of the level's slot that is due at `tick`.
    func listeners(level: Int, tick: Int64) -> [Member] {
        slots[level - FlushTicks.levels.lowerBound][Int(tick & ((1 << level) - 1))]
    }

    /// The first tick after `tick` at which a member is due; nil if the wheel is empty.
    func nextTurn(after tick: Int64) -> Int64? {
        guard count > 0 else { return nil }
        for candidate in (tick + 1)...(tick + FlushTicks.longest) {
            for level in FlushTicks.levels where !listeners(level: level, tick: candidate).isEmpty { return candidate }
        }
        return nil
    }

    /// All members, in unspecified order.
    var all: [Member] { slots.flatMap { $0.flatMap { $0 } } }
}

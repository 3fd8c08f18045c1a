// SPDX-License-Identifier: MIT

import Instants

/// Which listeners get their audio when: a wheel of ticks, on which each has its place. Confined to the loop's thread.
///
/// Writes are what costs, so each listener's are gathered for its interval; and listeners are spread over the interval,
/// so that thousands of them are a steady trickle and no spike. Intervals are powers of two in ticks: a listener of
/// interval `n` stands in one of `n` slots, and its turn is every tick that is that slot's number modulo `n`.
struct FlushWheel {
    /// A sixty-fourth of a second.
    static let tick = Duration.nanoseconds(15_625_000)
    /// The longest interval is `1 << 6` ticks, a second; the shortest 4 ticks, a sixteenth of a second.
    static let levels = 2...6

    /// Where a listener stands.
    struct Seat: Hashable {
        var level: UInt8
        var slot: UInt8
        var index: Int32

        var interval: Duration { FlushWheel.tick * (1 << Int(level)) }
    }

    private var slots: [[[Listener]]] = Self.levels.map { Array(repeating: [], count: 1 << $0) }
    private(set) var count = 0

    /// The level whose interval is the longest that is not longer than `wanted`; the shortest there is for less.
    static func level(for wanted: Duration) -> Int {
        levels.last { tick * (1 << $0) <= wanted } ?? levels.lowerBound
    }

    /// Gives a listener a place in the emptiest slot of its level.
    mutating func add(_ listener: Listener, level: Int) {
        let row = level - Self.levels.lowerBound
        var slot = 0
        for candidate in slots[row].indices where slots[row][candidate].count < slots[row][slot].count {
            slot = candidate
        }
        listener.seat = Seat(level: UInt8(level), slot: UInt8(slot), index: Int32(slots[row][slot].count))
        slots[row][slot].append(listener)
        count += 1
    }

    /// Takes a listener's place away. The last of its slot moves there, so that whoever goes through a slot from its
    /// end may remove whom it meets.
    mutating func remove(_ listener: Listener) {
        guard let seat = listener.seat else { return }
        listener.seat = nil
        count -= 1
        let row = Int(seat.level) - Self.levels.lowerBound
        let last = slots[row][Int(seat.slot)].removeLast()
        guard last !== listener else { return }
        slots[row][Int(seat.slot)][Int(seat.index)] = last
        last.seat = seat
    }

    /// Who stands in the slot of a level whose turn a tick is.
    func listeners(level: Int, tick: Int64) -> [Listener] {
        slots[level - Self.levels.lowerBound][Int(tick & ((1 << level) - 1))]
    }

    /// The first tick after `tick` that is somebody's turn; nil where nobody is there.
    func nextTurn(after tick: Int64) -> Int64? {
        guard count > 0 else { return nil }
        return (1...Int64(1 << Self.levels.upperBound)).lazy.map { tick + $0 }.first { candidate in
            Self.levels.contains { !listeners(level: $0, tick: candidate).isEmpty }
        }
    }

    /// All of them, in no order that matters.
    var all: [Listener] { slots.flatMap { $0.flatMap { $0 } } }
}

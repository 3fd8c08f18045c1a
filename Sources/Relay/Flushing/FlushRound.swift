// SPDX-License-Identifier: MIT

/// How far the wheel has been turned, so that the work of one tick can be spread over several turns of the loop.
///
/// A value without I/O: ``next(on:upTo:)`` names the next listener that is due.
struct FlushRound {
    /// The last tick whose listeners have all had their turn.
    private(set) var tick: Int64
    private var level = FlushTicks.levels.lowerBound
    /// How many listeners of the slot at hand are left; nil before its beginning.
    private var left: Int?

    init(from tick: Int64) {
        self.tick = tick
    }

    /// The next listener whose turn is at `end` or before; nil where all have had it.
    ///
    /// After a long pause of the process each listener is due as often as in one or two turns of the wheel, not as
    /// often as it was missed. Only whole turns are left out, and the round goes on where it was, so that whoever there
    /// was no time for on a machine that is too slow is the next.
    mutating func next<Member>(on wheel: FlushWheel<Member>, upTo end: Int64) -> Member? {
        let missed = (end - tick) / FlushTicks.longest - 1
        if missed > 0 { tick += missed * FlushTicks.longest }
        while tick < end {
            let slot = wheel.listeners(level: level, tick: tick + 1)
            // Listeners that have left since then make the slot shorter.
            let position = min(left ?? slot.count, slot.count) - 1
            if position >= 0 {
                left = position
                return slot[position]
            }
            left = nil
            if level < FlushTicks.levels.upperBound {
                level += 1
            } else {
                level = FlushTicks.levels.lowerBound
                tick += 1
            }
        }
        return nil
    }
}

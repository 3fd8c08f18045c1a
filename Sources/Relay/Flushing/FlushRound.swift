// SPDX-License-Identifier: MIT

/// The wheel's progress, so that the work of one tick can be spread over several turns of the loop.
///
/// A value without I/O: ``next(on:upTo:)`` returns the next listener that is due.
struct FlushRound {
    /// The last tick whose listeners have all been visited.
    private(set) var tick: Int64
    private var level = FlushTicks.levels.lowerBound
    /// The number of listeners still to be visited in the current slot; nil if none of its listeners has been visited
    /// yet.
    private var left: Int?

    init(from tick: Int64) {
        self.tick = tick
    }

    /// Returns the next listener due at tick `end` or before; nil if none is left.
    ///
    /// After a long pause of the process, each listener is due once or twice, however many turns it missed. Only whole
    /// revolutions are skipped, and the round resumes where it stopped. So on a slow machine the listeners that have
    /// not had their turn come next.
    mutating func next<Member>(on wheel: FlushWheel<Member>, upTo end: Int64) -> Member? {
        let missed = (end - tick) / FlushTicks.longest - 1
        if missed > 0 { tick += missed * FlushTicks.longest }
        while tick < end {
            let slot = wheel.listeners(level: level, tick: tick + 1)
            // The slot is shorter if listeners have left since the last call.
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

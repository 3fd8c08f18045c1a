// SPDX-License-Identifier: MIT

package import Instants

/// Decides whether to log a fault. The same fault is logged once, then only counted; if it recurs after an hour, it is
/// logged again, with its count.
package struct FaultCounter {
    private struct Entry {
        var saidAt: MonotonicInstant
        var repeats = 0
        /// Whether the fault has ended since it was logged.
        var hasEnded = false
    }

    private var entries: [String: Entry] = [:]

    private static let pause = Duration.seconds(3_600)
    /// The pause before a fault is logged again if it has ended and then recurs.
    private static let shortPause = Duration.seconds(60)
    /// The maximum number of faults that are kept. It bounds the memory, because a server can cause any number of
    /// different faults.
    private static let mostFaults = 2_000

    /// Returns how often the fault has recurred since it was last logged, if it is to be logged now; otherwise nil.
    package mutating func note(_ fault: String, at now: MonotonicInstant) -> Int? {
        if let entry = entries[fault], now - entry.saidAt < (entry.hasEnded ? Self.shortPause : Self.pause) {
            entries[fault]?.repeats += 1
            return nil
        }
        let repeats = entries[fault]?.repeats ?? 0
        if entries.count >= Self.mostFaults { entries = [:] }
        entries[fault] = Entry(saidAt: now)
        return repeats
    }

    /// Ends all faults whose names begin with `prefix`. If such a fault recurs, it is logged again after the short
    /// pause.
    package mutating func end(_ prefix: String) {
        for fault in entries.keys where fault.hasPrefix(prefix) { entries[fault]?.hasEnded = true }
    }
}

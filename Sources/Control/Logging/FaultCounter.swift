// SPDX-License-Identifier: MIT

package import Instants

/// Says whether a fault is new: the same fault is logged once, then counted, and logged again with its count after an
/// hour. A value.
package struct FaultCounter {
    private struct Entry {
        var saidAt: MonotonicInstant
        var repeats = 0
        /// Whether the fault has ended since it was logged.
        var hasEnded = false
    }

    private var entries: [String: Entry] = [:]

    private static let pause = Duration.seconds(3_600)
    /// The same for a fault that comes again after it has ended.
    private static let shortPause = Duration.seconds(60)
    /// A server can cause any number of different faults.
    private static let mostFaults = 2_000

    package init() {}

    /// Whether to log the fault now, and how often it has come since it was logged last; nil to keep silent.
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

    /// Notes that all faults whose names begin like this have ended: the next one is news.
    package mutating func end(_ prefix: String) {
        for fault in entries.keys where fault.hasPrefix(prefix) { entries[fault]?.hasEnded = true }
    }
}

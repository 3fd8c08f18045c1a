// SPDX-License-Identifier: MIT

package import Instants

/// Says whether a fault is new: the same fault is logged once, then counted, and logged again with its count after an
/// hour. A value.
package struct FaultCounter {
    private struct Entry {
        var saidAt: MonotonicInstant
        var repeats = 0
    }

    private var entries: [String: Entry] = [:]

    private static let pause = Duration.seconds(3_600)
    /// A server can cause any number of different faults.
    private static let mostFaults = 2_000

    package init() {}

    /// Whether to log the fault now, and how often it has come since it was logged last; nil to keep silent.
    package mutating func note(_ fault: String, at now: MonotonicInstant) -> Int? {
        if let entry = entries[fault], now - entry.saidAt < Self.pause {
            entries[fault]?.repeats += 1
            return nil
        }
        let repeats = entries[fault]?.repeats ?? 0
        if entries.count >= Self.mostFaults { entries = [:] }
        entries[fault] = Entry(saidAt: now)
        return repeats
    }
}

// SPDX-License-Identifier: MIT

/// Counts items that are passed over, by reason, so that of many not each has a line. A value.
struct SkippedItems {
    private var counts: [String: Int] = [:]
    /// In the order in which they came.
    private var reasons: [String] = []

    /// So many of each reason are told of one by one.
    private static let most = 10

    /// One more; whether it is to be told of.
    mutating func add(_ reason: String) -> Bool {
        let count = (counts[reason] ?? 0) + 1
        if count == 1 { reasons.append(reason) }
        counts[reason] = count
        return count <= Self.most
    }

    /// How many were not told of.
    var unsaid: [(count: Int, reason: String)] {
        reasons.compactMap { reason in
            let rest = (counts[reason] ?? 0) - Self.most
            return rest > 0 ? (rest, reason) : nil
        }
    }
}

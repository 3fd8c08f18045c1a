// SPDX-License-Identifier: MIT

import Playback
import RadioCore

/// Counts skipped items by reason, so that only the first few items of each reason are reported one by one.
struct SkippedItems {
    private var counts: [String: Int] = [:]
    /// The reasons, in the order in which each first occurred.
    private var reasons: [String] = []

    /// The maximum number of items of each reason that are reported one by one.
    private static let most = 10

    /// Counts an item. Returns whether to report it.
    mutating func add(_ reason: String) -> Bool {
        let count = (counts[reason] ?? 0) + 1
        if count == 1 { reasons.append(reason) }
        counts[reason] = count
        return count <= Self.most
    }

    /// How many items more there are of each reason.
    var rest: [QueueNotice] {
        reasons.compactMap { reason in
            let rest = (counts[reason] ?? 0) - Self.most
            return rest > 0 ? .skipped(item: "\(rest) more", reason: reason) : nil
        }
    }
}

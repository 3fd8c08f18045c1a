// SPDX-License-Identifier: MIT

import RadioCore

/// An occurrence of an item in a queue, whatever its index: a list may contain an item more than once.
struct QueueSlot: Hashable, Sendable {
    var key: ItemKey
    /// How many items with this key come before this occurrence in the queue.
    var number: Int

    static func slots(of items: [QueueItem]) -> [QueueSlot] {
        var counts: [ItemKey: Int] = [:]
        return items.map { item in
            defer { counts[item.key, default: 0] += 1 }
            return QueueSlot(key: item.key, number: counts[item.key, default: 0])
        }
    }
}

// SPDX-License-Identifier: MIT

/// One place of a queue, wherever it stands: a list may name an item more than once.
struct QueueSlot: Hashable, Sendable {
    var key: ItemKey
    /// How many of the key stand before it.
    var number: Int

    static func slots(of items: [QueueItem]) -> [QueueSlot] {
        var counts: [ItemKey: Int] = [:]
        return items.map { item in
            defer { counts[item.key, default: 0] += 1 }
            return QueueSlot(key: item.key, number: counts[item.key, default: 0])
        }
    }
}

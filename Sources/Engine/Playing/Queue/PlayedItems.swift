// SPDX-License-Identifier: MIT

/// What a queue has played, and tried: for the report. A value, with the last ones of many.
struct PlayedItems {
    private(set) var items: [PlayedItem] = []

    private static let most = 10_000

    mutating func add(_ item: PlayedItem) {
        items.append(item)
        if items.count > Self.most { items.removeFirst(items.count - Self.most) }
    }
}

// SPDX-License-Identifier: MIT

/// The items that a queue has played or tried to play, for the report; only the latest if there are many. A value.
struct PlayedItems {
    private(set) var items: [PlayedItem] = []

    private static let most = 10_000

    mutating func add(_ item: PlayedItem) {
        items.append(item)
        if items.count > Self.most { items.removeFirst(items.count - Self.most) }
    }
}

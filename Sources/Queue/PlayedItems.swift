// SPDX-License-Identifier: MIT

import Playback
import RadioCore

/// The items that a queue has played or tried to play, for the report. If there are many, only the latest are kept.
struct PlayedItems {
    private(set) var items: [PlayedItem] = []

    private static let most = 10_000

    mutating func add(_ item: PlayedItem) {
        items.append(item)
        if items.count > Self.most { items.removeFirst(items.count - Self.most) }
    }
}

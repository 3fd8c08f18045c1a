// SPDX-License-Identifier: MIT

import RadioCore

/// Decides the order of the items in a round.
struct RoundOrder {
    /// Nil keeps the order.
    private var random: SplitMix64?

    init(shuffleSeed: UInt64?) {
        random = shuffleSeed.map { SplitMix64(seed: $0) }
    }

    /// Shuffles the items uniformly, except that the first is not the item played last if there is another.
    mutating func arranged(_ items: [MediaItem], after last: String?) -> [MediaItem] {
        guard var random else { return items }
        defer { self.random = random }
        var items = items
        items.shuffle(using: &random)
        let others = items.indices.filter { items[$0].key != last }
        if let first = items.first, first.key == last, let other = others.randomElement(using: &random) {
            items.swapAt(0, other)
        }
        return items
    }
}

// SPDX-License-Identifier: MIT

import RadioCore

/// Decides the order of the items in a round.
struct RoundOrder {
    /// The random numbers for shuffling; nil keeps the order.
    private var random: SplitMix64?

    init(shuffleSeed: UInt64?) {
        random = shuffleSeed.map { SplitMix64(seed: $0) }
    }

    /// Shuffles the items uniformly, but does not begin with the item that was played last if there is another item.
    /// Without a seed, keeps the order.
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

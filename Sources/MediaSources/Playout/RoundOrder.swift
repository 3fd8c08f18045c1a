// SPDX-License-Identifier: MIT

import RadioCore

/// In which order the items of a round are played. A value.
struct RoundOrder {
    /// Nil keeps the order.
    private var random: SplitMix64?

    init(shuffleSeed: UInt64?) {
        random = shuffleSeed.map { SplitMix64(seed: $0) }
    }

    /// Shuffled, each order as likely as any other, but the first is never the one that was played last, where there is
    /// another.
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

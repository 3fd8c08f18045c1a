// SPDX-License-Identifier: MIT

/// What a ``PacedSource`` plays: step by step, as far as they are at hand. Confined to the loop's thread; never waits.
package protocol PlayoutFeed: AnyObject {
    /// The next step; nil where there is none yet, or none any more.
    func next() -> PlayoutStep?
    /// Nothing more is wanted. Idempotent.
    func close()
}

/// A feed of items that are in memory: there is nothing to wait for.
package final class MemoryFeed: PlayoutFeed {
    private var playout: Playout?

    /// Reads for one step, so that an item without frames does not hold up the loop.
    private static let mostReads = 64

    package init(_ items: [MediaItem], repeats: Bool) {
        playout = Playout(ItemSupply(items), repeats: repeats)
    }

    package func next() -> PlayoutStep? {
        for _ in 0..<Self.mostReads {
            if let step = playout?.next() { return step }
        }
        return nil
    }

    package func close() { playout = nil }
}

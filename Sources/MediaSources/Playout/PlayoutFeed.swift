// SPDX-License-Identifier: MIT

/// What a ``PacedSource`` plays: events, as far as they are at hand. Confined to the loop's thread; never waits.
package protocol PlayoutFeed: AnyObject {
    /// The next event; nil where there is none yet, or none any more.
    func next() -> PlayoutEvent?
    /// Nothing more is wanted. Idempotent.
    func close()
}

/// A feed of items that are in memory: there is nothing to wait for.
package final class MemoryFeed: PlayoutFeed {
    private var playout: Playout?

    /// Reads for one event, so that an item without frames does not hold up the loop.
    private static let mostReads = 64

    package init(_ items: [MediaItem], repeats: Bool) {
        playout = Playout(ItemSupply(items), repeats: repeats)
    }

    package func next() -> PlayoutEvent? {
        for _ in 0..<Self.mostReads {
            if let event = playout?.next() { return event }
        }
        return nil
    }

    package func close() { playout = nil }
}

// SPDX-License-Identifier: MIT

/// Supplies a ``PacedSource`` with steps as they become available.
package protocol PlayoutFeed: AnyObject {
    /// The next step; nil if there is none yet, or if the programme has ended.
    func next() -> PlayoutStep?
    /// Ends the feed. Idempotent.
    func close()
}

/// A feed of items in memory, which never has to wait.
package final class MemoryFeed: PlayoutFeed {
    private var playout: Playout?

    /// The most reads for one step, so that an item without frames does not hold up the loop.
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

// SPDX-License-Identifier: MIT

package import Instants
package import RadioCore

/// The playable items of a podcast's feed: RSS 2.0 (also 0.9x and 1.0) or Atom.
package struct Feed: Hashable, Sendable {
    /// The title, cleaned for display; nil if the feed has none.
    package var title: String?
    /// Items with audio, in the feed's order, usually newest first.
    package var items: [Item] = []
    /// How many further items were left out.
    package var leftOut = 0
    /// Whether the document ends before the end of the feed. The item in which it ends is left out.
    package var isTruncated = false

    package init() {}

    /// What to tell about items that may be missing; nil if none are.
    package var warning: String? { isTruncated ? "the feed was cut off" : nil }

    package struct Item: Hashable, Sendable {
        /// The title, cleaned for display; nil if the item has none.
        package var title: String?
        /// `guid` or `id`: the feed's permanent identifier of the item.
        package var guid: String?
        /// The absolute address, http or https.
        package var address: String
        package var length: Duration?
        package var published: WallInstant?

        package init(address: String) {
            self.address = address
        }
    }

    /// The items for a queue; `address` is the feed's own address.
    package func queueItems(from address: String) -> [QueueItem] {
        items.map { item in
            let key = item.guid.map { ItemKey(guid: $0, feed: address) } ?? ItemKey(address: item.address)
            var queued = QueueItem(
                key: key, location: .address(item.address), title: item.title ?? title, length: item.length,
                published: item.published)
            queued.isEpisode = true
            return queued
        }
    }
}

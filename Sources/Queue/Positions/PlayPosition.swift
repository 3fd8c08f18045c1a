// SPDX-License-Identifier: MIT

import Instants
import RadioCore

/// What is remembered of an item, or of a list of items.
struct PlayPosition: Hashable, Sendable {
    /// What is remembered.
    enum Mark: Hashable, Sendable {
        /// The position at which an item was left, and the length of the whole item; nil if unknown.
        case left(at: Duration, of: Duration?)
        /// An episode was heard to its end, or skipped.
        case heard
        /// The item at which a list was left, and whether all of that item was heard.
        case item(ItemKey, isOver: Bool)
    }

    var mark: Mark
    /// The time at which the item was left; ``PlayPositions/apply(_:)`` sorts by this.
    var left: WallInstant

    init(_ mark: Mark, left: WallInstant) {
        self.mark = mark
        self.left = left
    }

    /// Whether a position is worth remembering: neither near the start nor near the end of the item.
    static func isWorthKeeping(_ position: Duration, of length: Duration?) -> Bool {
        guard position >= beginning else { return false }
        guard let length, length > .zero else { return true }
        return position < length - ending(of: length)
    }

    /// Whether so little is missing that the item counts as heard: at most a quarter of it.
    static func isOver(_ position: Duration, of length: Duration?) -> Bool {
        guard let length, length > .zero else { return false }
        return position >= length - min(ending(of: length), length / 4)
    }

    /// Whether an item that was left here continues here: an episode does, and so does a long item. A song begins anew.
    static func continues(_ item: QueueItem, _ position: Duration, of length: Duration?) -> Bool {
        item.isEpisode || length ?? item.length ?? position >= longItem
    }

    /// Positions before this are not remembered.
    static let beginning = Duration.seconds(10)
    /// A piece of music is usually shorter than this.
    static let longItem = Duration.seconds(600)

    /// How much of an item may be missing for it to count as heard: 5 % of it, but 30 s at least and 10 min at most.
    static func ending(of length: Duration) -> Duration {
        min(max(length / 20, .seconds(30)), .seconds(600))
    }
}

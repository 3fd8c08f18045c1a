// SPDX-License-Identifier: MIT

import Instants
import RadioFormats

/// An item of a feed whose elements are still being read.
struct FeedItemDraft {
    private var draft = Feed.Item(address: "")
    private var updated: WallInstant?
    private var enclosure: FeedEnclosure?

    private static let longestGUID = 4 << 10

    /// Keeps the first value of each element.
    mutating func set(_ element: FeedElement, _ text: String) {
        switch element {
        case .title: draft.title = draft.title ?? FeedText.title(text)
        case .guid:
            let found = FeedText.trimmed(text)
            if draft.guid == nil, !found.isEmpty, found.utf8.count <= Self.longestGUID { draft.guid = found }
        case .published: draft.published = draft.published ?? FeedText.date(text)
        case .updated: updated = updated ?? FeedText.date(text)
        case .duration: draft.length = draft.length ?? FeedText.duration(text)
        default: break
        }
    }

    mutating func add(_ found: FeedEnclosure) {
        guard found.rank > (enclosure?.rank ?? 0) else { return }
        enclosure = found
    }

    /// The finished item; nil if it has no file to play.
    var item: Feed.Item? {
        guard let enclosure else { return nil }
        var item = draft
        item.address = enclosure.address
        (item.length, item.published) = (draft.length ?? enclosure.length, draft.published ?? updated)
        return item
    }
}

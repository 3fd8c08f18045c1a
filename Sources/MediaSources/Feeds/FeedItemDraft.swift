// SPDX-License-Identifier: MIT

import Instants
import RadioFormats

/// An item of a feed whose elements are still being read.
struct FeedItemDraft {
    private var title: String?
    private var guid: String?
    private var length: Duration?
    private var published: WallInstant?
    private var updated: WallInstant?
    private var enclosure: FeedEnclosure?

    private static let longestGUID = 4 << 10

    /// Keeps the first value of each element.
    mutating func set(_ element: FeedElement, _ text: String) {
        switch element {
        case .title: title = title ?? FeedText.title(text)
        case .guid:
            let found = FeedText.trimmed(text)
            if guid == nil, !found.isEmpty, found.utf8.count <= Self.longestGUID { guid = found }
        case .published: published = published ?? FeedText.date(text)
        case .updated: updated = updated ?? FeedText.date(text)
        case .duration: length = length ?? FeedText.duration(text)
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
        var item = Feed.Item(address: enclosure.address)
        (item.title, item.guid, item.length) = (title, guid, length ?? enclosure.length)
        item.published = published ?? updated
        return item
    }
}

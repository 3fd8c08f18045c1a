// SPDX-License-Identifier: MIT

import Playback
import RadioFormats

// Messages about a queue.
extension Wording {
    static func line(_ notice: QueueNotice) -> String? {
        switch notice {
        case .began(let item, let start):
            "playing \(words(item))" + (start > .zero ? ", from \(Measure.clock(start))" : "")
        case .failed, .cannotRemember: nil
        case .skipped(let item, let reason): "skipped \(item): \(reason)"
        case .list(let title, let count):
            (title.map { "\($0): " } ?? "a list of ") + Measure.count(count, "item")
        case .continues(let number): "continuing at item \(number)"
        case .lostPlace(let item, let place):
            "\(words(item)) begins at its start: the place where it was left (\(Measure.clock(place))) was not found"
        case .cannotSeek: "cannot seek: the server does not support range requests"
        case .order(let repeats, let isShuffled): order(repeats, isShuffled)
        }
    }

    private static func words(_ item: PlayedItem) -> String { item.title ?? item.source }

    /// The item's name as a prefix of its failure: for a file it is the path, so that the user can find the file. Empty
    /// if the message contains the name already.
    static func words(_ item: PlayedItem, in message: String) -> String {
        guard AddressText(item.source).isAddress else { return "\(item.source): " }
        return item.title == nil && message.contains(item.source) ? "" : "\(words(item)): "
    }

    private static func order(_ repeats: QueueRepeat, _ isShuffled: Bool) -> String {
        let again =
            switch repeats {
            case .none: "repeat off"
            case .one: "repeat this item"
            case .all: "repeat all"
            }
        return again + (isShuffled ? ", shuffled" : ", in order")
    }
}

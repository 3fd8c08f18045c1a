// SPDX-License-Identifier: MIT

import Catalog
import Control
import RadioFormats

/// The recordings of a daemon, which it lists in pages.
enum RecordingPages {
    /// Calls `body` with each recording that matches a request, at most `limit` of them, the newest first. Returns the
    /// place of the next one; nil if there is none.
    @discardableResult
    static func each(
        _ client: ControlClient, _ target: ControlTarget, limit: Int = .max, _ body: (JSONValue) throws -> Void
    ) throws -> JSONValue? {
        var count = 0
        var next: JSONValue?
        repeat {
            let answer = try client.answer(page(target, after: count, at: next, limit: limit))
            let recordings = answer["recordings"].list
            try recordings.forEach(body)
            count += recordings.count
            next = answer["next"]
        } while next != nil && count < limit
        return next
    }

    /// The request for a page. `count`: how many recordings earlier pages contained; `next`: the `next` object of the
    /// previous answer.
    static func page(_ target: ControlTarget, after count: Int, at next: JSONValue?, limit: Int) -> ControlTarget {
        let most = min(limit - count, CatalogStore.mostListed)
        return target.adding("limit", "\(most)").adding("after", next?["after"]?.stringValue)
            .adding("after_time", next?["after_time"]?.integerValue.map { "\($0)" })
    }
}

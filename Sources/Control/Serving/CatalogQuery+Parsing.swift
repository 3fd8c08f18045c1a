// SPDX-License-Identifier: MIT

import Catalog
import HTTPServer
import RadioCore

extension CatalogQuery {
    /// Parses the query of a request. A missing parameter sets no condition; an unreadable one is an error.
    init(parsing target: HTTPTarget) throws(Failure) {
        self.init()
        station = target.queryValue("station")
        show = target.queryValue("show")
        text = target.queryValue("text")
        from = try Self.value(of: "from", in: target) { CivilTime(rfc3339: $0) }
        until = try Self.value(of: "until", in: target) { CivilTime(rfc3339: $0) }
        date = try Self.value(of: "date", in: target) { try? CalendarDate(parsing: $0) }
        limit = min(max(try Self.value(of: "limit", in: target) { Int($0) } ?? limit, 1), CatalogStore.mostListed)
        let began = try Self.value(of: "after_time", in: target) { Int64($0) }
        let id = target.queryValue("after")
        if let began, let id {
            after = SortKey(began: began, id: id)
        } else if began != nil || id != nil {
            throw Failure(
                .usage, "'after' and 'after_time' belong together", remedy: "give both, as the last answer did")
        }
    }

    private static func value<Value>(
        of name: String, in target: HTTPTarget, _ parse: (String) -> Value?
    ) throws(Failure) -> Value? {
        guard let text = target.queryValue(name) else { return nil }
        guard let value = parse(text) else {
            throw Failure(
                .usage, "'\(name)' is not valid", remedy: "give a number, or a time such as 2026-05-01T18:00:00Z")
        }
        return value
    }
}

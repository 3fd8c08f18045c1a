// SPDX-License-Identifier: MIT

import Catalog
import HTTPServer
import RadioCore
import Testing

@testable import Control

/// Queries for recordings at the control socket.
struct CatalogQueryTests {
    private func query(_ text: String) throws -> CatalogQuery {
        try CatalogQuery(parsing: HTTPTarget(path: "/v1/recordings", query: text))
    }

    @Test("The conditions of a query are read, and its limit is bounded")
    func valid() throws {
        let query = try query("station=fip&from=2026-05-01T18:00:00Z&limit=1000000000&after=r1&after_time=-5")
        #expect(query.station == "fip" && query.show == nil && query.until == nil)
        #expect(query.from == CivilTime(rfc3339: "2026-05-01T18:00:00Z") && query.limit == CatalogStore.mostListed)
        #expect(query.after == CatalogQuery.SortKey(began: -5, id: "r1"))
    }

    @Test(
        "A condition that cannot be read is refused",
        arguments: ["from=may", "until=", "date=27", "limit=ten", "after=r1&after_time=9e9", "after=r1"])
    func invalid(_ text: String) {
        #expect(throws: Failure.self) { try query(text) }
    }
}

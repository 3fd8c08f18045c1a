// SPDX-License-Identifier: MIT

package import Instants

/// What is on disk of a broadcast of a show. A value. Times are milliseconds since 1970.
package struct CatalogCoverage: Hashable, Sendable {
    package struct File: Hashable, Sendable {
        package var at: Int64
        /// How much audio it has.
        package var audio: Int64
        /// How much is missing in it, as far as known.
        package var missing: Int64
    }

    package struct Gap: Hashable, Sendable {
        package var at: Int64
        package var length: Int64
    }

    package var files: [File] = []
    package var gaps: [Gap] = []
}

extension CatalogStore {
    /// What is on disk of a broadcast: of the show of a station whose recording was to begin at `start`.
    package func coverage(
        station: String, show: String, from start: WallInstant
    ) throws(CatalogError) -> CatalogCoverage {
        let condition = "station_id = ? AND show_id = ? AND show_from = ?"
        let values: [Value] = [.text(station), .text(show), .integer(start.milliseconds)]
        var coverage = CatalogCoverage()
        try database.run(
            """
            SELECT at, milliseconds,
                (SELECT coalesce(sum(max(0, coalesce(gaps.milliseconds, 0))), 0) FROM gaps WHERE segment = segments.id)
            FROM segments WHERE at IS NOT NULL AND \(condition) ORDER BY at
            """, values
        ) { coverage.files.append(.init(at: $0.integer(0), audio: $0.integer(1), missing: $0.integer(2))) }
        try database.run(
            """
            SELECT gaps.at, coalesce(gaps.milliseconds, 0) FROM gaps JOIN segments ON segments.id = gaps.segment
            WHERE \(condition) ORDER BY gaps.at
            """, values
        ) { coverage.gaps.append(.init(at: $0.integer(0), length: $0.integer(1))) }
        return coverage
    }
}

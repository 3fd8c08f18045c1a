// SPDX-License-Identifier: MIT

import RadioCore

/// What a sidecar lists of its file: a row of a table, which belongs to a segment.
protocol CatalogPart {
    static var table: String { get }
    static var columns: [String] { get }
    /// Reads the columns.
    init(_ row: Row)
    /// The values of the columns.
    var values: [SQLValue] { get }
}

extension CatalogPart {
    /// The columns for a query of several tables.
    static var selection: String { columns.map { "\(table).\($0)" }.joined(separator: ", ") }
}

extension CatalogStore {
    /// The parts of segments that satisfy a condition. `segments`: the table or view of the segments; `order`: the
    /// column by which the parts are ordered.
    func parts<Part: CatalogPart>(
        of segments: String, where condition: String, _ values: [SQLValue], order: String
    ) throws(CatalogError) -> [Part] {
        try database.rows(
            """
            SELECT \(Part.selection) FROM \(Part.table) JOIN \(segments) AS segments ON segments.id = segment
            WHERE \(condition) ORDER BY \(Part.table).\(order)
            """, values, Part.init)
    }

    /// Adds a part to a segment.
    func put<Part: CatalogPart>(_ part: Part, of segment: Int64) throws(CatalogError) {
        try database.insert(
            into: Part.table, [("segment", .integer(segment))] + zip(Part.columns, part.values).map { ($0, $1) })
    }
}

extension Sidecar.Title: CatalogPart {
    static var table: String { "titles" }
    static var columns: [String] { ["at", "at_offset", "position", "text", "artist", "title"] }

    init(_ row: Row) {
        self.init(at: row.time(0, 1) ?? .epoch, position: row.integer(2), text: row.text(3) ?? "")
    }

    var values: [SQLValue] {
        let split = SplitTitle(text)
        return at.values + [.integer(position), .text(text), SQLValue(split.artist), SQLValue(split.title)]
    }
}

extension Sidecar.Gap: CatalogPart {
    static var table: String { "gaps" }
    static var columns: [String] { ["at", "at_offset", "milliseconds", "cause", "position"] }

    init(_ row: Row) {
        self.init(
            at: row.time(0, 1) ?? .epoch, milliseconds: row.optionalInteger(2), cause: row.text(3) ?? "", tried: [],
            position: row.integer(4))
    }

    var values: [SQLValue] {
        at.values + [SQLValue(milliseconds.map { min($0, CatalogStore.mostOfOne) }), .text(cause), .integer(position)]
    }
}

/// Audio that is not the station's.
extension Sidecar.Stretch: CatalogPart {
    static var table: String { "foreign_stretches" }
    static var columns: [String] { ["at", "at_offset", "milliseconds", "position", "frames"] }

    init(_ row: Row) {
        self.init(
            at: row.time(0, 1) ?? .epoch, milliseconds: row.integer(2), position: row.integer(3),
            frames: row.integer(4))
    }

    var values: [SQLValue] {
        at.values + [.integer(min(milliseconds, CatalogStore.mostOfOne)), .integer(position), .integer(frames)]
    }
}

extension Sidecar.Splice: CatalogPart {
    static var table: String { "splices" }
    static var columns: [String] { ["at", "at_offset", "position", "dropped", "method"] }

    init(_ row: Row) {
        self.init(
            at: row.time(0, 1) ?? .epoch, position: row.integer(2), droppedFrames: row.integer(3),
            by: row.text(4) ?? "")
    }

    var values: [SQLValue] { at.values + [.integer(position), .integer(droppedFrames), .text(by)] }
}

extension CivilTime {
    /// The time in milliseconds, and its offset from UTC in seconds.
    fileprivate var values: [SQLValue] { [.integer(milliseconds), .integer(Int64(utcOffset))] }
}
